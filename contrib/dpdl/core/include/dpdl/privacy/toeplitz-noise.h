// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_TOEPLITZ_NOISE_H
#define DPDL_PRIVACY_TOEPLITZ_NOISE_H

#include <cstddef>
#include <vector>

namespace dpdl
{

// Noise of one node that is correlated between rounds. S are the node's gradient sums by round, Z
// independent standard normals, and s a scale. The releases are S + s C^-1 Z. C is a lower
// triangular Toeplitz matrix, given by its first column: C_tu = column[t - u]. The releases have
// the same information as C S + s Z, so their privacy is that of independent noise on C S. C is
// lower triangular, so this also holds if S depends on earlier releases (Denisov et al., NeurIPS
// 2022, theorem 2.1).

/// First column of the square root of the prefix-sum matrix. Coefficient k is binomial(2k, k) /
/// 4^k.
/// @param count number of coefficients
std::vector<double> SquareRootColumn(std::size_t count);

/**
 * @brief Computes the first column of C^-1.
 * @param column first coefficients of the first column of C; further coefficients are 0
 * @param rounds largest number of coefficients; trailing coefficients below 1e-18 times the first
 *        coefficient are left out
 */
std::vector<double> InverseColumn(const std::vector<double>& column, std::size_t rounds);

/**
 * @brief L2 sensitivity of C S to one example, for sums S with a clip norm of 1.
 *
 * The result is exact for nonnegative, non-increasing columns: then the sensitivity is largest if
 * the batches with the example are in the earliest possible rounds, which the function assumes.
 * @param column first column of C
 * @param rounds number of rounds of the run
 * @param participations largest number of batches that include an example
 * @param separation smallest distance in rounds between two of these batches, at least 1
 */
double ToeplitzSensitivity(const std::vector<double>& column,
                           std::size_t rounds,
                           std::size_t participations,
                           std::size_t separation);

/**
 * @brief Expected squared error, up to a constant factor, that the noise causes in the results of a
 *        run at a fixed privacy guarantee. Assumes that an example is in one batch of the run.
 * @param column first column of C, with column[0] equal to 1
 * @param response [lags, values] element k: effect of one round's noise on the results k rounds
 *         later
 * @return |column|^2 (the squared sensitivity) times the sum over lags k of (rounds - k) |sum over
 *         l of response[k - l] (C^-1)_l|^2 (the sum of the noise variances of all values in all
 *         rounds)
 */
double ResponseError(const std::vector<double>& column,
                     const std::vector<std::vector<double>>& response);

/**
 * @brief Finds the first column of a banded C with a small ResponseError(). A pattern search (Hooke
 *        and Jeeves, 1961) starts from the first coefficients of SquareRootColumn().
 * @param bands number of coefficients of the column, at least 1
 * @param response [lags, values] effect of one round's noise on the results, by lag in rounds
 */
std::vector<double> FitBands(std::size_t bands, const std::vector<std::vector<double>>& response);

} // namespace dpdl

#endif // DPDL_PRIVACY_TOEPLITZ_NOISE_H
