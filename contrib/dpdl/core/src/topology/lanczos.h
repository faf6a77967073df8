// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_LANCZOS_H
#define DPDL_TOPOLOGY_LANCZOS_H

#include <cstddef>
#include <functional>
#include <vector>

namespace dpdl
{

/// Computes y = M x for a symmetric positive semidefinite matrix M. The caller gives @p y the size
/// of @p x.
using SymmetricOperator = std::function<void(const std::vector<double>& x, std::vector<double>& y)>;

/// Returns sum_i a_i b_i. The order of the summation depends only on @p count.
double DotProduct(const double* a, const double* b, std::size_t count);

/// Computes target += factor * source for vectors of length @p count.
void AddMultiple(double* target, const double* source, double factor, std::size_t count);

/**
 * @brief Computes the largest eigenvalue by Lanczos iteration, with full reorthogonalisation up to
 *        dimension 256.
 *
 * The start vector is a fixed pseudorandom vector. Let r be the residual's norm and gap the
 * distance between the two largest Ritz values. Up to dimension 256, the iteration ends when the
 * error estimate min(r, r^2 / gap) is at most 1e-13 times the eigenvalue. The iteration also ends
 * after @p size steps, and the result is then exact up to rounding. Above dimension 256, the
 * iteration ends when the result grew by at most the fraction 1e-12 in 32 steps, or after 3000
 * steps.
 *
 * @param size dimension of the matrix, at least 1
 * @param apply multiplies a vector by the matrix
 * @return the eigenvalue, at least 0
 */
double LargestEigenvalue(std::size_t size, const SymmetricOperator& apply);

/// Largest eigenvalue after a limited number of Lanczos steps, with a bound or estimate of its
/// error.
struct EigenvalueEstimate
{
    double value; ///< lower bound of the eigenvalue, up to rounding
    double error; ///< the eigenvalue is at most value + error; an estimate or a probable bound, see
                  ///< EstimateLargestEigenvalue()
};

/**
 * @brief Estimates the largest eigenvalue of a large positive semidefinite matrix of norm at most 1
 *        in at most @p mostSteps steps.
 *
 * The iteration ends when the estimate min(r, r^2 / gap) of LargestEigenvalue() is at most 1e-9
 * times the eigenvalue, or when the eigenvalue is at most 1e-26. The result's error is then this
 * estimate. If the iteration reaches @p mostSteps, the result's error is a bound that holds for any
 * matrix. For a random start vector the bound fails with probability at most 1e-6. After k steps
 * the bound on the relative error is (ln(1.648 sqrt(n) 1e6) / (2 k - 1))^2 (Kuczynski and
 * Wozniakowski, SIAM J. Matrix Anal. Appl. 13, 1992, theorem 4.2).
 *
 * @param size dimension of the matrix n, at least 1
 * @param apply multiplies a vector by the matrix
 * @param mostSteps largest number of products with the matrix
 */
EigenvalueEstimate EstimateLargestEigenvalue(std::size_t size,
                                             const SymmetricOperator& apply,
                                             std::size_t mostSteps);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_LANCZOS_H
