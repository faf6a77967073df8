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

/// Properties of a release that matter to accountants. The values are bits that combine with `|`.
/// "No guarantee": epsilon is infinite. "Information only": epsilon is unchanged.
enum class ReleaseFlag : std::uint32_t
{
    NONE = 0,                   ///< no special property
    UNNOISED_RELEASE = 1u << 0, ///< the message contains private data without noise; no guarantee
    /// Gradients were not clipped, so the sensitivity is unbounded; no guarantee.
    NO_CLIP = 1u << 1,
    /// The scale of the noise depends on private data; no guarantee.
    DATA_DEPENDENT_SCALE = 1u << 2,
    SEED_REUSE = 1u << 3, ///< two releases used the same noise; no guarantee
    /// The gradient of the batch was clipped as a whole, so the sensitivity doubles.
    BATCH_CLIP = 1u << 4,
    HPARAM_SEARCH = 1u << 5, ///< hyper-parameters were tuned on the same data; information only
    /// Noise was drawn in floating point, whose spacing can reveal the values; information only.
    FLOAT_NOISE = 1u << 6,
    /// The gradient sum was divided by the realised batch size, which is private; no guarantee.
    REALISED_BATCH_SIZE = 1u << 7,
    ADAPTIVE_SCHEDULE = 1u << 8, ///< noise was chosen after seeing earlier releases; only a
                                 ///< PrivacyFilter can give a guarantee
    OWN_PART = 1u << 9, ///< an unprotected local part of the model influences every example's
                        ///< gradient; no guarantee
    /// The local step is custom code, and its author gave no proof of its releases; no guarantee.
    UNPROVEN_STEP = 1u << 10,
    PLAN_MISMATCH = 1u << 11, ///< the noise that the step added differs from the plan; no guarantee
    BATCH_DEPENDENT_GRADIENT = 1u << 12, ///< rounding of an example's gradient may depend on the
                                         ///< rest of the batch; information only
    /// Noise is correlated with that of other nodes or rounds; `noise` is the standard deviation of
    /// the equivalent independent noise; information only.
    CORRELATED_NOISE = 1u << 13,
    /// `noise` is the standard deviation of the noise in the sum over all nodes. The guarantee is
    /// for observers that see only what the server sends; information only.
    TRUSTED_SERVER = 1u << 14,
    UNKNOWN = 1u << 31, ///< ReleaseFlagsFromString() read an unknown name; no guarantee
};

/// Union of two sets of flags.
constexpr ReleaseFlag
operator|(ReleaseFlag a, ReleaseFlag b)
{
    return static_cast<ReleaseFlag>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// True if @p flags and @p wanted have at least one bit in common.
constexpr bool
HasFlag(ReleaseFlag flags, ReleaseFlag wanted)
{
    return (static_cast<std::uint32_t>(flags) & static_cast<std::uint32_t>(wanted)) != 0;
}

/// Names of the set flags, separated by commas, lowest bit first; "": none is set.
std::string ToString(ReleaseFlag flags);

/// Parses names of flags, separated by commas, as ToString() writes them. An unknown name sets the
/// flag UNKNOWN, which rules out a guarantee.
ReleaseFlag ReleaseFlagsFromString(const std::string& text);

/**
 * @brief Record of one message that a node computed from private data.
 *
 * The record describes the protection of the message. Sensitivity and noise refer to the *sum* of
 * the clipped per-example gradients, before division by a batch size. Accountants use no other data
 * of a run. Accountants reject invalid numbers, so the record does not check its numbers. The
 * defaults describe an unprotected message.
 *
 * The code that draws the noise makes the record, from the arguments of the draw. NodePlan compares
 * the record with the plan, and PrivacyLedger stores it. The trace's view `release` shows it.
 */
struct Release
{
    NodeId node{0}; ///< node that sends the release
    Round round{0}; ///< round of sending, 0-based
    /// Noise of the message: `gaussian`, `laplace`, `discrete-gaussian`, or `none`.
    std::string mechanism{"none"};
    /// Sampling of the batch: `poisson`, `cyclic-poisson`, `fixed` (without replacement), `shuffle`
    /// (consecutive batches of one permutation per epoch), or `full` (all local examples).
    /// `cyclic-poisson` is Poisson sampling in one part of the examples, a different part in each
    /// round of an epoch.
    std::string sampler{"full"};
    /// Sampling rate, in [0, 1]: probability that an example is in the batch. For `fixed` and
    /// `shuffle` it is the batch size divided by the number of local examples; for `full` it is 1;
    /// for `cyclic-poisson` it is the probability for an example of the part used in the round.
    double rate{1.0};
    /// Largest change of the gradient sum by one example: the clip norm plus rounding errors. L1
    /// norm for `laplace`, L2 norm for other mechanisms; infinity: no bound.
    double sensitivity{std::numeric_limits<double>::infinity()};
    /// Noise per coordinate of the gradient sum: scale b for `laplace`, standard deviation for
    /// other mechanisms; 0: no noise.
    double noise{0.0};
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< properties that matter to accountants
    std::uint32_t stream{0}; ///< index of the noise stream within (node, round), from 0
    /// Index of the epoch over the examples; empty: the sampler has no epochs.
    std::optional<std::uint32_t> epoch{};
    /// Number of leading parameters to which noise was added; set only in records that a local step
    /// makes. 0: not set.
    std::size_t values{0};

    /// True if the sampler visits the examples in epochs: `shuffle` and `cyclic-poisson`.
    bool HasEpochs() const
    {
        return sampler == "shuffle" || sampler == "cyclic-poisson";
    }

    /// Tuple of all fields that determine the privacy cost, except `noise`.
    auto Kind() const
    {
        return std::tie(mechanism, sampler, rate, sensitivity, flags, epoch);
    }

    /// Noise multiplier: `noise` divided by `sensitivity`; 0 without clipping or without noise.
    double NoiseMultiplier() const;

    /**
     * @brief `sensitivity` divided by `noise`, twice this if BATCH_CLIP is set; for Gaussian noise
     *        without sampling the mu of mu-GDP.
     *
     * The gradient of a batch that is clipped as a whole changes by up to twice the clip norm if
     * one example is added or removed. BATCH_CLIP therefore doubles the value.
     * @return mu >= 0, or infinity if there is no noise or no bound
     */
    double Mu() const;

    /**
     * @brief Reason to reject this release in any finite guarantee.
     * @return one line; "" if mechanism and sampler are known and all numbers are valid
     */
    std::string UnsupportedReason() const;

    /// A copy of this release to which @p flags are added.
    Release WithFlags(ReleaseFlag flags) const;
};

/// Sampling schemes, as pairs of the name in option `sampler` of `account` and `audit`, and the
/// name in Release::sampler. The first pair is the default.
const std::vector<std::pair<std::string, std::string>>& SamplerNames();

} // namespace dpdl

#endif // DPDL_BASE_RELEASE_H
