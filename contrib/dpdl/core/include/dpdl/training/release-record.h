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
 * @brief One draw of noise, recorded by the code that adds it, from the arguments that it used. The
 *        privacy ledger has no other source.
 */
struct ReleaseRecord
{
    std::string mechanism{"none"}; ///< of the noise source; `none` without noise
    /// Standard deviation of each value; the scale b for Laplace noise; 0: no noise.
    double deviation{0.0};
    double grid{0.0}; ///< the values were rounded to multiples of it; 0: not rounded
    /// largest move of the values by one example, in the norm of the mechanism; infinity: unbounded
    double sensitivity{std::numeric_limits<double>::infinity()};
    std::size_t values{0};          ///< number of leading parameters with noise
    Round noiseKey{0};              ///< number of the draw in the node's noise stream
    std::string sampler{"unknown"}; ///< sampling scheme of the batch, as the accountants name it
    double rate{1.0};               ///< probability that one example took part
    std::uint32_t epoch{0};         ///< pass over the local examples; 0 for samplers without
    bool batchClip{false};          ///< the batch was clipped as a whole
    bool dataDependent{false};      ///< the deviation was multiplied by a function of the data
    /// standard deviation of the noise in the node's state; 0: not measured
    double inState{0.0};
    /// bound on the largest value of that state, from public numbers; infinity: not measured
    double largestState{std::numeric_limits<double>::infinity()};
    bool batchDependent{false}; ///< an example's gradient may depend on the batch, by rounding
};

} // namespace dpdl

#endif // DPDL_TRAINING_RELEASE_RECORD_H
