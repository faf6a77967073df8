// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GOSSIP_H
#define DPDL_TRAINING_GOSSIP_H

#include "dpdl/training/parameters.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace dpdl
{

/// One summand of a mixing step, for all coordinates or for those of a chunk.
struct MixTerm
{
    ParameterHandle source;  ///< vector that is added
    double coefficient{0.0}; ///< its weight; for push-sum a_ij w_j / w_i, computed in double
    std::size_t begin{0};    ///< first coordinate that it covers
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< behind the last one
    bool isHeard{false}; ///< received from another node; see MixByRule()
};

/**
 * @brief out = sum over the terms of coefficient * source, in the order of the terms.
 *
 * Products and sums are float32, and the coefficient is rounded to float32 once. The result depends
 * only on the terms and their order: mixing chunk by chunk with the same coefficients is
 * bit-identical. It takes one pass over memory for any number of terms.
 *
 * @param terms summands; the sources have the length of @p out and are not @p out itself; no terms
 *        give zero. Terms of the same coordinates are adjacent, and each coordinate belongs to one
 *        such group.
 * @param[out] out receives the sum
 */
void MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out);

/// MixParameters() with products and sums in double precision, rounded to float32 once.
void MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out);

/**
 * @brief Relative distance of the float32 result of MixParameters from the sum in double precision.
 *
 * Looks at 16 coordinates that are evenly spaced over the vector.
 *
 * @param terms summands of the mix
 * @param out result of MixParameters()
 * @return the largest |double sum - out| relative to the largest |double sum|; 0 without terms or
 *         if all is zero
 */
double MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_GOSSIP_H
