// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_RELEASE_H
#define DPDL_BASE_RELEASE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dpdl
{

/// Properties of a release that matter to accountants. The values are bits and combine with `|`.
enum class ReleaseFlag : std::uint32_t
{
    NONE = 0,                   ///< no special property: an ordinary noisy message
    UNNOISED_RELEASE = 1u << 0, ///< the message contains private data without noise; no guarantee
    /// Gradients were not clipped, so the sensitivity is unbounded; no guarantee.
    NO_CLIP = 1u << 1,
    /// The scale of the noise depends on private data; no guarantee.
    DATA_DEPENDENT_SCALE = 1u << 2,
    SEED_REUSE = 1u << 3,    ///< the same noise was used twice; no guarantee
    BATCH_CLIP = 1u << 4,    ///< the batch was clipped as a whole: sensitivity doubles
    HPARAM_SEARCH = 1u << 5, ///< parameters were tuned on the same data; information only
    /// Noise was drawn in floating point, whose spacing can leak; information only.
    FLOAT_NOISE = 1u << 6,
    /// The gradient sum was divided by the realised batch size, which is private; no guarantee.
    REALISED_BATCH_SIZE = 1u << 7,
    ADAPTIVE_SCHEDULE = 1u << 8, ///< noise was chosen after seeing earlier releases; only a
                                 ///< PrivacyFilter can give a guarantee
    OWN_PART = 1u << 9, ///< an unprotected local part of the model influences every example's
                        ///< gradient; no guarantee
    /// The local step is custom code without an argument for its plan; no guarantee.
    UNPROVEN_STEP = 1u << 10,
    PLAN_MISMATCH = 1u << 11, ///< the step did not release what its plan states; no guarantee
    BATCH_DEPENDENT_GRADIENT = 1u << 12, ///< rounding of an example's gradient may depend on the
                                         ///< rest of the batch; information only
    CORRELATED_NOISE = 1u << 13, ///< noise is correlated with that of other nodes or rounds;
                                 ///< `noise` is the equivalent independent noise; information only
    TRUSTED_SERVER = 1u << 14, ///< `noise` is that of the sum of all nodes at a server, which sees
                               ///< only such sums; information only
    UNKNOWN = 1u << 31,        ///< ReleaseFlagsFromString() read an unknown name; no guarantee
};

/// Union of two sets of flags.
constexpr ReleaseFlag
operator|(ReleaseFlag a, ReleaseFlag b)
{
    return static_cast<ReleaseFlag>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// True if @p flags and @p wanted have a bit in common.
constexpr bool
HasFlag(ReleaseFlag flags, ReleaseFlag wanted)
{
    return (static_cast<std::uint32_t>(flags) & static_cast<std::uint32_t>(wanted)) != 0;
}

/// The names of the flags that are set, separated by commas, lowest bit first; "" for none.
std::string ToString(ReleaseFlag flags);

/// Parses the format of ToString(). An unknown name gives UNKNOWN, which fails closed.
ReleaseFlag ReleaseFlagsFromString(const std::string& text);

/**
 * @brief Record of one message of a node that was computed from private data.
 *
 * It describes the protection of the message in the units of accounting. The noise is the standard
 * deviation per coordinate added to the *sum* of the clipped per-sample gradients, before division
 * by a batch size. Accountants use nothing else of a run. Numbers are not checked, because
 * accountants fail closed. The defaults describe an unprotected message.
 *
 * The code that draws the noise makes the record, from the arguments that it used. NodePlan
 * compares it with the plan, PrivacyLedger keeps it, and it is a row of view `release`.
 */
struct Release
{
    NodeId node{0}; ///< node that sends the release
    Round round{0}; ///< round of sending, 0-based
    /// Noise of the message: `gaussian`, `laplace`, `discrete-gaussian`, or `none`.
    std::string mechanism{"none"};
    /// sampling of the batch: `poisson`, `cyclic-poisson` (Poisson within one part of the examples,
    /// a different part in each round of an epoch), `fixed` (without replacement), `shuffle`
    /// (successive batches of one permutation per epoch), or `full` for every local example
    std::string sampler{"full"};
    double rate{1.0}; ///< sampling rate: probability that an example is in the batch, in [0, 1]
    /// Largest change of the gradient sum by one example: the clip bound, plus what rounding adds.
    /// L1 norm for `laplace`, L2 otherwise; infinity: no bound.
    double sensitivity{std::numeric_limits<double>::infinity()};
    /// Noise per coordinate on the gradient sum: scale for `laplace`, else standard deviation; 0:
    /// no noise.
    double noise{0.0};
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< properties that matter to accountants
    std::uint32_t stream{0}; ///< number of the noise stream within (node, round), 0-based
    std::optional<std::uint32_t> epoch{}; ///< epoch over the examples; empty: without epochs
    /// Number of leading parameters with noise; set only in the records that a step makes.
    std::size_t values{0};

    /// True if the sampler passes over the examples in epochs: `shuffle`, `cyclic-poisson`.
    bool HasEpochs() const
    {
        return sampler == "shuffle" || sampler == "cyclic-poisson";
    }

    /// All fields that determine the privacy cost, except the noise.
    auto Kind() const
    {
        return std::tie(mechanism, sampler, rate, sensitivity, flags, epoch);
    }

    /// Noise divided by sensitivity, as in the literature; 0 without clipping or without noise.
    double NoiseMultiplier() const;

    /**
     * @brief Sensitivity divided by noise; for Gaussian noise without sampling the mu of mu-GDP.
     *
     * A batch clipped as a whole changes by up to twice its bound if one example is added or
     * removed, so BATCH_CLIP doubles the value.
     * @return mu >= 0, or infinity if there is no noise or no bound
     */
    double Mu() const;

    /**
     * @brief Reason to reject this release in any finite guarantee.
     * @return one line, or "" if mechanism and sampler are known and all numbers are valid
     */
    std::string UnsupportedReason() const;

    /// A copy of this release with @p flags in addition to its flags.
    Release WithFlags(ReleaseFlag flags) const;
};

/// Sampling schemes as pairs: name in option `sampler` of `account` and `audit`, name in
/// Release::sampler. The first pair is the default.
const std::vector<std::pair<std::string, std::string>>& SamplerNames();

} // namespace dpdl

#endif // DPDL_BASE_RELEASE_H
