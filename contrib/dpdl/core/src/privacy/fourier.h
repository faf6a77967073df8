// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_FOURIER_H
#define DPDL_PRIVACY_FOURIER_H

#include "pld-cells.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <fftw3.h>
#include <vector>

namespace dpdl
{

/// Coefficients with an absolute value of at most this are set to 0, because arithmetic with
/// denormal numbers is slow.
constexpr double NEGLIGIBLE = 1e-60;

/// Product of two complex numbers. Unlike the operator *, it does not test for infinities and NaN.
inline std::complex<double>
Product(const std::complex<double>& a, const std::complex<double>& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Returns @p product, or 0 if its absolute value is at most NEGLIGIBLE.
inline std::complex<double>
Kept(const std::complex<double>& product)
{
    return std::norm(product) > NEGLIGIBLE * NEGLIGIBLE ? product : std::complex<double>(0.0, 0.0);
}

/// Computes base^exponent by repeated squaring. Returns 0 if a factor base^(2^k) of the result,
/// with k >= 1, has an absolute value below NEGLIGIBLE.
/// @param exponent an integer, at least 0
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

/// Smallest result of TransformSize().
constexpr double SMALLEST_TRANSFORM = 1024.0;

/// Length of a fast Fourier transform of @p cells or more values: 4, 5, 6 or 7 times a power of 2.
/// The result is the smallest such number that is at least @p cells and at least 1024.
std::size_t TransformSize(double cells);

/// Real Fourier transforms of one length, forward and backward, on internal buffers.
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

    /// Buffer of Size() real values: input of Forward(), output of Backward().
    double* Values()
    {
        return m_values;
    }

    /// Buffer of Size() / 2 + 1 coefficients: output of Forward(), input of Backward().
    std::complex<double>* Coefficients()
    {
        // By definition std::complex<double> and fftw_complex have the same layout.
        return reinterpret_cast<std::complex<double>*>(m_coefficients);
    }

    /// Transforms Values() to Coefficients(), without normalisation: coefficient k is the sum over
    /// j of value j times e^(-2 pi i j k / Size()).
    void Forward();

    /// Inverse of Forward(): transforms Coefficients() to Values(), normalised by 1 / Size().
    /// Overwrites the coefficients.
    void Backward();

  private:
    std::size_t m_size;           ///< number of real values
    double* m_values;             ///< buffer of Size() real values
    fftw_complex* m_coefficients; ///< buffer of Size() / 2 + 1 coefficients
    fftw_plan m_forward;          ///< transforms m_values to m_coefficients
    fftw_plan m_backward;         ///< transforms m_coefficients to m_values
};

/// Computes the coefficients of the lowest frequencies of a discrete Fourier transform by direct
/// sums.
class RootsOfUnity
{
  public:
    /// @param size length of the transform
    explicit RootsOfUnity(std::size_t size)
        : m_size(size)
    {
    }

    /**
     * @brief Computes the Fourier coefficients sum_j mass[j] e^(-2 pi i k (first + j) / size) of
     *        masses on a cyclic grid, for k = 0, 1, ..., without normalisation.
     *
     * Two-level summation keeps rounding errors small.
     * @param cells masses `mass`, and the grid index `first` of mass[0]
     * @param[in,out] coefficients element k receives coefficient k; its size, at most the length of
     *        the transform, is the number of coefficients to compute
     */
    void Transform(const PldCells& cells, std::vector<std::complex<double>>& coefficients);

  private:
    std::size_t m_size;
    /// Element j: e^(-2 pi i j / size); computed on first use.
    std::vector<std::complex<double>> m_roots;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_FOURIER_H
