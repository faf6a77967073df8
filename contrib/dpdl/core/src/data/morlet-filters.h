// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_MORLET_FILTERS_H
#define DPDL_DATA_MORLET_FILTERS_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Number of orientations of the wavelets, L.
constexpr std::size_t MORLET_ANGLES = 8;

/**
 * @brief The Fourier transform of a periodic Morlet wavelet, which is real.
 *
 * psi(u) = g(u) (exp(i xi (u . e)) - K), with e = (cos theta, sin theta). g is an elliptic Gaussian
 * of width sigma = 0.8 2^j along e and sigma L / 4 across it, xi = 3 pi / 4 / 2^j, and K makes the
 * sum of psi 0. Orientation a has theta = (L/2 - 1 - a) pi / L. The conventions are those of
 * Kymatio (Andreux et al., JMLR 2020).
 *
 * @param rows of the period
 * @param columns of the period
 * @param scale j, 0 or more
 * @param angle a, 0..MORLET_ANGLES-1
 * @return [rows, columns], frequencies in the order of FFTW
 */
std::vector<double> MorletSpectrum(std::size_t rows,
                                   std::size_t columns,
                                   std::size_t scale,
                                   std::size_t angle);

/**
 * @brief Smooths along one axis by a Gaussian of width 1.6 and keeps every fourth sample.
 *
 * The two-dimensional low-pass filter is a product of two of these. The first and the last sample
 * are dropped, because they are in the padding.
 *
 * @param period samples of the axis, a multiple of 4
 * @param level the input is subsampled by 2^level, and the filter is restricted to the remaining
 *        frequencies
 * @return [period / 4 - 2, period / 2^level]
 */
std::vector<double> SmoothingMatrix(std::size_t period, std::size_t level);

} // namespace dpdl

#endif // DPDL_DATA_MORLET_FILTERS_H
