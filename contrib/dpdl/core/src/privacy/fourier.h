// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_FOURIER_H
#define DPDL_PRIVACY_FOURIER_H

#include <complex>
#include <cstddef>
#include <memory>

namespace dpdl
{

/// TransformSize() is at least this.
constexpr double SMALLEST_TRANSFORM = 1024.0;

/// The smallest of 4, 5, 6 and 7 times a power of 2 that is not below a number, at least 1024.
std::size_t TransformSize(double cells);

/// Real Fourier transforms of one length, forth and back, on buffers of its own.
class Fourier
{
  public:
    /// @param size number of real values
    explicit Fourier(std::size_t size);
    ~Fourier();
    Fourier(const Fourier&) = delete;
    Fourier& operator=(const Fourier&) = delete;

    /// Number of real values.
    std::size_t Size() const
    {
        return m_size;
    }

    /// Size() real values.
    double* Values();

    /// Size() / 2 + 1 coefficients.
    std::complex<double>* Coefficients();

    /// Values to coefficients, not normalised.
    void Forward();

    /// Coefficients to values, normalised; the coefficients are lost.
    void Backward();

  private:
    struct Plans;
    std::size_t m_size;             ///< number of real values
    std::unique_ptr<Plans> m_plans; ///< FFTW's
};

} // namespace dpdl

#endif // DPDL_PRIVACY_FOURIER_H
