// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RELEASE_RECORD_H
#define DPDL_TRAINING_RELEASE_RECORD_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace dpdl
{

/**
 * @brief One draw of noise as it happened. Whatever adds noise makes the record, from the arguments
 *        that it used; the privacy ledger has no other source.
 */
struct ReleaseRecord
{
    std::string mechanism{"none"}; ///< of the noise source; `none` without noise
    double deviation{0.0};         ///< on each value; the scale b for Laplace noise; 0: no noise
    double grid{0.0};              ///< what the values were rounded to; 0: they were not
    /// largest move of the values by one example, in the norm of the mechanism; infinity: unbounded
    double sensitivity{std::numeric_limits<double>::infinity()};
    std::size_t values{0};          ///< leading parameters that the noise is on
    Round noiseKey{0};              ///< number of the draw in the node's noise stream
    std::string sampler{"unknown"}; ///< how the batch was drawn, in the accountants' words
    double rate{1.0};               ///< probability that one example took part
    std::uint32_t epoch{0};         ///< pass over the local examples; 0 for samplers without
    bool batchClip{false};          ///< the batch was clipped as a whole
    bool dataDependent{false};      ///< the deviation was multiplied by a function of the data
    /// deviation of the noise once it is in the node's state; 0: not measured
    double inState{0.0};
    /// largest value of that state, as public numbers bound it; infinity: not measured
    double largestState{std::numeric_limits<double>::infinity()};
    bool batchDependent{false}; ///< an example's gradient may depend on the batch, by rounding
};

} // namespace dpdl

#endif // DPDL_TRAINING_RELEASE_RECORD_H
