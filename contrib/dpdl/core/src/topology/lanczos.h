// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_LANCZOS_H
#define DPDL_TOPOLOGY_LANCZOS_H

#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/// y = M x for a symmetric positive semidefinite matrix M.
using SymmetricOperator = std::function<void(const std::vector<double>& x, std::vector<double>& y)>;

/// sum_i a_i b_i, in an order that depends on @p count only.
double DotProduct(const double* a, const double* b, std::size_t count);

/// target += factor * source.
void AddMultiple(double* target, const double* source, double factor, std::size_t count);

/**
 * @brief The largest eigenvalue, by Lanczos iteration; with full reorthogonalisation if the matrix
 *        is small.
 *
 * The start vector is always the same and has no structure. The iteration ends when the error
 * estimate min(r, r^2 / gap) falls below 1e-13 of the eigenvalue, and after @p size steps at last,
 * where it is exact up to rounding. Above a dimension of 256 it ends when the result has grown by
 * less than 1e-12 of itself in 32 steps, or after 3000.
 *
 * @param size dimension of the matrix, at least 1
 * @param apply the matrix
 * @return the eigenvalue, at least 0
 */
double LargestEigenvalue(std::size_t size, const SymmetricOperator& apply);

/// The largest eigenvalue after a number of steps, and its error.
struct EigenvalueEstimate
{
    double value; ///< lower bound of the eigenvalue, up to rounding
    double error; ///< the eigenvalue is at most value + error
};

/**
 * @brief Estimates the largest eigenvalue of a large positive semidefinite matrix of norm at most
 *        1 in at most @p mostSteps steps.
 *
 * The error is the residual's estimate once that is below 1e-9 of the eigenvalue, or once the
 * eigenvalue is below 1e-26. Otherwise it is a bound that holds for any matrix, for a random start
 * vector, except with probability 1e-6: after k steps the relative error is at most
 * (ln(1.648 sqrt(n) 1e6) / (2 k - 1))^2 (Kuczynski and Wozniakowski, SIAM J. Matrix Anal. Appl. 13,
 * 1992, theorem 4.2).
 *
 * @param size dimension of the matrix n, at least 1
 * @param apply the matrix
 * @param mostSteps maximum number of products with the matrix
 */
EigenvalueEstimate EstimateLargestEigenvalue(std::size_t size,
                                             const SymmetricOperator& apply,
                                             std::size_t mostSteps);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_LANCZOS_H
