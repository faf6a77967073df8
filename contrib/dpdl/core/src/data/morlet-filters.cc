// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "scattering.h"

#include <cmath>
#include <complex>
#include <utility>

// Evaluates the filters on a grid, adds shifted copies to make them periodic, and computes their
// Fourier transforms by direct sums.

namespace dpdl
{

namespace
{

/// A filter is made periodic by adding copies of it, shifted by multiples of the period. This is
/// the number of copies on each side, per axis.
constexpr int FOLDS = 2;
/// Standard deviation of the envelope of the smallest wavelet, in pixels.
constexpr double SMALLEST_WIDTH = 0.8;
/// Standard deviation in pixels of the low-pass filter at scale J = 2.
constexpr double SMOOTHING_WIDTH = 2.0 * SMALLEST_WIDTH;

using Plane = std::vector<std::complex<double>>;

/// Parameters of one Morlet wavelet; MorletSpectrum() defines its formula.
struct WaveletShape
{
    double width;     ///< standard deviation sigma of the envelope
    double cosine;    ///< cosine of the angle theta
    double sine;      ///< sine of the angle theta
    double frequency; ///< frequency xi of the wave, in radians per pixel

    /// Gaussian envelope, and envelope times wave, at a point.
    /// @param row row coordinate in pixels
    /// @param column column coordinate in pixels
    std::pair<double, std::complex<double>> At(double row, double column) const
    {
        constexpr double slant = 4.0 / MORLET_ANGLES;
        const double along = row * cosine + column * sine;
        const double across = slant * (column * cosine - row * sine);
        const double gauss = std::exp(-(along * along + across * across) / (2.0 * width * width)) *
                             slant / (2.0 * M_PI * width * width);
        return {gauss, std::polar(gauss, frequency * along)};
    }
};

/// Values of a periodic wavelet on the grid [rows, columns]; their sum is 0 up to rounding.
Plane
MorletWave(std::size_t rows, std::size_t columns, const WaveletShape& shape)
{
    Plane waves(rows * columns);
    std::vector<double> gausses(rows * columns);
    std::complex<double> waveSum;
    double gaussSum = 0.0;
    for (std::size_t i = 0; i < waves.size(); ++i)
    {
        for (int down = -FOLDS; down <= FOLDS; ++down)
        {
            for (int right = -FOLDS; right <= FOLDS; ++right)
            {
                const auto [gauss, wave] = shape.At(
                    static_cast<double>(i / columns) + down * static_cast<double>(rows),
                    static_cast<double>(i % columns) + right * static_cast<double>(columns));
                gausses[i] += gauss;
                waves[i] += wave;
            }
        }
        waveSum += waves[i];
        gaussSum += gausses[i];
    }
    for (std::size_t i = 0; i < waves.size(); ++i)
    {
        waves[i] -= waveSum / gaussSum * gausses[i];
    }
    return waves;
}

/// Complex roots of unity exp(-2 pi i k / n) for k = 0..n-1.
Plane
RootsOf(std::size_t n)
{
    Plane roots(n);
    for (std::size_t k = 0; k < n; ++k)
    {
        roots[k] = std::polar(1.0, -2.0 * M_PI * static_cast<double>(k) / n);
    }
    return roots;
}

/// Fourier-transforms every row and transposes the result. The direct sums are slow, but filters
/// are computed only once.
/// @param plane [rows, columns]
/// @return [columns, rows]
Plane
TransformedRows(const Plane& plane, std::size_t columns)
{
    const std::size_t rows = plane.size() / columns;
    const Plane roots = RootsOf(columns);
    Plane transposed(plane.size());
    for (std::size_t row = 0; row < rows; ++row)
    {
        for (std::size_t k = 0; k < columns; ++k)
        {
            for (std::size_t u = 0; u < columns; ++u)
            {
                transposed[k * rows + row] += plane[row * columns + u] * roots[k * u % columns];
            }
        }
    }
    return transposed;
}

} // namespace

std::vector<double>
MorletSpectrum(std::size_t rows, std::size_t columns, std::size_t scale, std::size_t angle)
{
    const double factor = std::ldexp(1.0, static_cast<int>(scale));
    const double theta =
        (MORLET_ANGLES / 2.0 - 1.0 - static_cast<double>(angle)) * M_PI / MORLET_ANGLES;
    const Plane wave = MorletWave(
        rows,
        columns,
        {SMALLEST_WIDTH * factor, std::cos(theta), std::sin(theta), 0.75 * M_PI / factor});
    const Plane transform = TransformedRows(TransformedRows(wave, columns), rows);
    std::vector<double> spectrum(transform.size());
    for (std::size_t i = 0; i < spectrum.size(); ++i)
    {
        spectrum[i] = transform[i].real();
    }
    return spectrum;
}

std::vector<double>
SmoothingMatrix(std::size_t period, std::size_t level)
{
    Plane gauss(period);
    for (std::size_t u = 0; u < period; ++u)
    {
        for (int fold = -FOLDS; fold <= FOLDS; ++fold)
        {
            const double place = static_cast<double>(u) + fold * static_cast<double>(period);
            gauss[u] += std::exp(-place * place / (2.0 * SMOOTHING_WIDTH * SMOOTHING_WIDTH)) /
                        (std::sqrt(2.0 * M_PI) * SMOOTHING_WIDTH);
        }
    }
    const Plane spectrum = TransformedRows(gauss, period);
    const std::size_t places = period >> level;
    const Plane roots = RootsOf(places);
    std::vector<double> filter(places);
    for (std::size_t u = 0; u < places; ++u)
    {
        for (std::size_t k = 0; k < places; ++k)
        {
            const std::size_t frequency = k < (places + 1) / 2 ? k : period - places + k;
            filter[u] += (spectrum[frequency] * std::conj(roots[k * u % places])).real() /
                         static_cast<double>(places);
        }
    }
    const std::size_t stride = 4 >> level;
    std::vector<double> matrix((period / 4 - 2) * places);
    for (std::size_t i = 0; i < matrix.size(); ++i)
    {
        const std::size_t centre = (i / places + 1) * stride;
        matrix[i] = filter[(centre + places - i % places) % places];
    }
    return matrix;
}

} // namespace dpdl
