// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GOSSIP_H
#define DPDL_TRAINING_GOSSIP_H

#include "dpdl/training/parameters.h"

#include <vector>

namespace dpdl
{

/// One summand of a mixing step.
struct MixTerm
{
    ParameterHandle source;  ///< vector that is taken in
    double coefficient{0.0}; ///< its share; for push-sum a_ij w_j / w_i, computed in double
};

/**
 * @brief out = sum over the terms of coefficient * source, in the order of the terms.
 *
 * Products and sums are float32, and the coefficient is rounded to float32 once. The result depends
 * on the terms and their order alone. One pass over memory, whatever the number of terms.
 *
 * @param terms what is summed; the sources have the length of @p out and are not @p out itself; no
 *        terms give zero
 * @param[out] out receives the sum
 */
void MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out);

/**
 * @brief How far the float32 result of MixParameters is from the sum in double precision.
 *
 * Looks at 16 coordinates that are evenly spaced over the vector.
 *
 * @param terms what was summed
 * @param out what MixParameters gave
 * @return the largest |double sum - out| relative to the largest |double sum|; 0 without terms and
 *         where all is zero
 */
double MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out);

} // namespace dpdl

#endif // DPDL_TRAINING_GOSSIP_H
