// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_LIKELIHOOD_H
#define DPDL_SRC_AUDIT_LIKELIHOOD_H

#include <cstddef>

namespace dpdl
{

/// Steps in a block: their factors are multiplied lane by lane before a logarithm is taken.
constexpr std::size_t LIKELIHOOD_BLOCK = 128;

/**
 * @brief The sum of log(none[k] + rate[k] exp(shift[k] y[k] + offset[k])).
 *
 * Exponents above 80 count as 80. The exponential is good to single precision: the result is a
 * score, which may be any function of what was seen.
 * @param y,rate,shift,offset,none vectors of length @p count
 * @param count a multiple of LIKELIHOOD_BLOCK
 */
double SumOfLogs(const float* y,
                 const float* rate,
                 const float* shift,
                 const float* offset,
                 const double* none,
                 std::size_t count);

/**
 * @brief out[k] = rate[k] exp(shift[k] y[k] + offset[k]), with the same exponential.
 * @param y,rate,shift,offset,out vectors of length @p count
 * @param count any
 */
void LikelihoodTerms(const float* y,
                     const float* rate,
                     const float* shift,
                     const float* offset,
                     float* out,
                     std::size_t count);

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_LIKELIHOOD_H
