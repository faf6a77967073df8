// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COMPLEX_POWER_H
#define DPDL_PRIVACY_COMPLEX_POWER_H

#include <complex>
#include <cstdint>

namespace dpdl
{

/// Products below this are set to 0: they no longer matter, and smaller ones are slow.
constexpr double NEGLIGIBLE = 1e-60;

/// Without the tests for infinities that the operator makes.
inline std::complex<double>
Product(const std::complex<double>& a, const std::complex<double>& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// A product of many factors, or 0 if it no longer matters.
inline std::complex<double>
Kept(const std::complex<double>& product)
{
    return std::norm(product) > NEGLIGIBLE * NEGLIGIBLE ? product : std::complex<double>(0.0, 0.0);
}

/// A power with a whole exponent, by repeated squaring.
inline std::complex<double>
Power(std::complex<double> base, double exponent)
{
    std::complex<double> power(1.0, 0.0);
    for (auto rest = static_cast<std::uint64_t>(exponent);; base = Product(base, base))
    {
        if (rest % 2 == 1)
        {
            power = Product(power, base);
        }
        rest /= 2;
        if (rest == 0 || std::norm(base) < NEGLIGIBLE)
        {
            return rest == 0 ? power : std::complex<double>(0.0, 0.0);
        }
    }
}

} // namespace dpdl

#endif // DPDL_PRIVACY_COMPLEX_POWER_H
