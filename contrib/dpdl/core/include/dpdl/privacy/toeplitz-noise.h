// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_TOEPLITZ_NOISE_H
#define DPDL_PRIVACY_TOEPLITZ_NOISE_H

#include <cstddef>
#include <vector>

namespace dpdl
{

// Correlated noise over the rounds of one node: releases S + s C^-1 Z with independent normals Z
// and a lower triangular Toeplitz matrix C, given by its first column: C_ts = column[t - s]. S + s
// C^-1 Z and C S + s Z determine each other. C is lower triangular, so this also holds for sums S
// that depend on earlier releases (Denisov et al., NeurIPS 2022, theorem 2.1).

/// The first column of the square root of the matrix of prefix sums: binomial(2k, k) / 4^k.
/// @param count number of coefficients
std::vector<double> SquareRootColumn(std::size_t count);

/**
 * @brief The first column of C^-1.
 * @param column first column of C; missing coefficients at its end are 0
 * @param rounds number of coefficients of the result; those at the end below 1e-18 of the first are
 *        left out
 */
std::vector<double> InverseColumn(const std::vector<double>& column, std::size_t rounds);

/**
 * @brief L2 sensitivity of C S to one example, for a clip bound of 1.
 *
 * Exact for nonnegative, non-increasing columns: the first possible rounds are then the worst.
 * @param column first column of C
 * @param rounds number of rounds of the run
 * @param participations largest number of batches that hold an example
 * @param separation smallest distance in rounds between two of these batches, at least 1
 */
double ToeplitzSensitivity(const std::vector<double>& column,
                           std::size_t rounds,
                           std::size_t participations,
                           std::size_t separation);

/**
 * @brief Error caused by noise C^-1 Z in the results of a run, for an example that participates
 *        once.
 * @param column first column of C, with column[0] equal to 1
 * @param response by lag in rounds: effect of one round's noise on the results, any number of
 *        values
 * @return the square of the column's norm, times the squares of the noise in all values of all
 *         rounds: sum over lags k of (rounds - k) |sum over l of response[k - l] (C^-1)_l|^2
 */
double ResponseError(const std::vector<double>& column,
                     const std::vector<std::vector<double>>& response);

/**
 * @brief The first column of a banded C with a small ResponseError(), by pattern search (Hooke and
 *        Jeeves, 1961) from the bands of the square root.
 * @param bands number of coefficients of the column, at least 1
 * @param response effect of one round's noise on the results, by lag, as in ResponseError()
 */
std::vector<double> FitBands(std::size_t bands, const std::vector<std::vector<double>>& response);

} // namespace dpdl

#endif // DPDL_PRIVACY_TOEPLITZ_NOISE_H
