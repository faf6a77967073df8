// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_RELEASE_H
#define DPDL_PRIVACY_RELEASE_H

#include "dpdl/base/types.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// What is special about a release. The values are bits and combine with `|`.
enum class ReleaseFlag : std::uint32_t
{
    NONE = 0,                       ///< an ordinary noisy message
    UNNOISED_RELEASE = 1u << 0,     ///< something private left without noise; no guarantee
    NO_CLIP = 1u << 1,              ///< nothing bounds the sensitivity; no guarantee
    DATA_DEPENDENT_SCALE = 1u << 2, ///< the noise scale itself was computed from data; no guarantee
    SEED_REUSE = 1u << 3,           ///< the same noise was used twice; no guarantee
    BATCH_CLIP = 1u << 4,           ///< the batch was clipped, not each sample: sensitivity doubles
    HPARAM_SEARCH = 1u << 5,        ///< parameters were tuned on the same data; information only
    FLOAT_NOISE = 1u << 6,          ///< noise of floats, whose spacing can show; information only
    REALISED_BATCH_SIZE = 1u << 7,  ///< divided by the size that private data gave; no guarantee
    ADAPTIVE_SCHEDULE = 1u << 8,    ///< its noise was chosen after seeing earlier releases; only a
                                    ///< PrivacyFilter can guarantee anything
    OWN_PART = 1u << 9, ///< a part of the model that its node trains without protection decides
                        ///< over every example's gradient; no guarantee
    UNPROVEN_STEP = 1u << 10, ///< made by a custom step, of which it is not said
                              ///< why it releases what the plan says; no guarantee
    PLAN_MISMATCH = 1u << 11, ///< the step did not release what the plan says; no guarantee
    BATCH_DEPENDENT_GRADIENT = 1u << 12, ///< rounding of an example's gradient may depend on the
                                         ///< batch around it; information only
    CORRELATED_NOISE = 1u << 13, ///< other nodes or rounds have a part of its noise; its `noise` is
                                 ///< what hides it all the same; information only
    TRUSTED_SERVER = 1u << 14,   ///< its `noise` is that of the sum of all nodes' at a server, for
                                 ///< who sees nothing but such sums; information only
    UNKNOWN = 1u << 31,          ///< read from a text with a name that is none; no guarantee
};

/// Both sets of flags.
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

/// Reads what ToString() wrote. A name that no flag bears gives UNKNOWN, which fails closed.
ReleaseFlag ReleaseFlagsFromString(const std::string& text);

/**
 * @brief The immutable record of one message that left a node and was computed from its data.
 *
 * It says how the message was protected, in the units of the accounting: the noise is the standard
 * deviation per coordinate that was added to the *sum* of the clipped per-sample gradients, before
 * any division by a batch size. Accountants see nothing else of a run.
 */
class Release
{
  public:
    /// Parts of a release; the defaults are those of an unprotected message.
    struct Fields
    {
        NodeId node{0};       ///< who sent it
        dpdl::Round round{0}; ///< when, 0-based
        /// `gaussian`, `laplace`, `discrete-gaussian`, or `none` for a message without noise
        std::string mechanism{"none"};
        /// how the batch was drawn: `poisson`, `cyclic-poisson` (from one part of the examples
        /// after another, one for each round of an epoch), `fixed` (without replacement), `shuffle`
        /// (one batch of an epoch), or `full` for every local example
        std::string sampler{"full"};
        double rate{1.0}; ///< probability that one example took part, in [0, 1]
        /// largest move of the sum by one example, the clip bound or what rounding makes of it; L1
        /// for `laplace`, L2 otherwise
        double sensitivity{std::numeric_limits<double>::infinity()};
        /// on the sum, per coordinate; 0: none. The scale for `laplace`, else a standard deviation
        double noise{0.0};
        ReleaseFlag flags{ReleaseFlag::NONE}; ///< what is special about it
        std::uint32_t stream{0};              ///< number of the noise stream within (node, round)
        std::uint32_t epoch{0}; ///< for `shuffle`, `cyclic-poisson`: which pass over the examples
    };

    /// @param fields copied; nothing is checked here, because accountants fail closed
    explicit Release(Fields fields);

    /// Who sent it.
    NodeId Node() const
    {
        return m_fields.node;
    }

    /// When, 0-based.
    dpdl::Round Round() const
    {
        return m_fields.round;
    }

    /// Everything, as it was recorded.
    const Fields& Get() const
    {
        return m_fields;
    }

    /// Flags of the release.
    ReleaseFlag Flags() const
    {
        return m_fields.flags;
    }

    /// Noise divided by sensitivity, as in the literature; 0 without clipping or without noise.
    double NoiseMultiplier() const;

    /**
     * @brief sensitivity / noise; for Gaussian noise the Gaussian-DP parameter of one use.
     *
     * A batch clipped as a whole moves by up to twice its bound when one example comes or goes, so
     * that BATCH_CLIP doubles the value.
     * @return mu >= 0, or infinity if there is no noise or no bound
     */
    double Mu() const;

    /**
     * @brief Why no finite guarantee can include this release.
     * @return one line, or "" if mechanism and sampler are known and every number is sound
     */
    std::string UnsupportedReason() const;

    /// A copy with additional flags.
    Release WithFlags(ReleaseFlag flags) const;

  private:
    Fields m_fields; ///< as recorded
};

/// The ways of drawing a batch: what `account` and `audit` call them, and what a Release does. The
/// first is the default.
const std::vector<std::pair<std::string, std::string>>& SamplerNames();

} // namespace dpdl

#endif // DPDL_PRIVACY_RELEASE_H
