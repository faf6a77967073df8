// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PRIVACY_STEP_H
#define DPDL_PRIVACY_PRIVACY_STEP_H

#include "dpdl/base/release.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Neighbouring relation of datasets.
enum class Adjacency
{
    ADD_REMOVE, ///< one dataset has one additional example
    REPLACE,    ///< one example has another value in the second dataset
};

/// Name of the relation: `add-remove` or `replace`.
std::string ToString(Adjacency adjacency);

/// Distribution of the noise of a release.
enum class NoiseKind
{
    GAUSSIAN, ///< N(0, noise^2) on every coordinate; sensitivities in L2
    LAPLACE,  ///< Laplace noise with a scale, on every coordinate; sensitivities in L1
    /// Gaussian on the multiples of a grid (Canonne, Kamath and Steinke, 2020); sensitivities in
    /// L2.
    DISCRETE_GAUSSIAN,
};

/// Amplification by a secret choice of the batch.
enum class Amplification
{
    NONE,    ///< no amplification: every example is in the batch, or the sampler gives none
    POISSON, ///< each example is in with probability rate, independently
    WITHOUT_REPLACEMENT, ///< a uniformly drawn set of fixed size, rate = size / local examples
};

/**
 * @brief One release as accountants see it, in dimensionless numbers.
 *
 * Equal steps have equal cost; they are counted, not repeated.
 */
struct PrivacyStep
{
    NoiseKind noise{NoiseKind::GAUSSIAN};        ///< distribution of the noise
    Amplification sampling{Amplification::NONE}; ///< sampling of the batch
    double rate{1.0}; ///< probability that an example is in the batch, in (0, 1]; 1 for NONE
    /// Change of the sum if one example is added or removed, divided by the noise; >= 0, finite
    double muAddRemove{0.0};
    /// Change of the sum if one example is replaced, divided by the noise; in [muAddRemove,
    /// 2 muAddRemove]
    double muReplace{0.0};

    /// Change of the sum divided by the noise: muAddRemove or, for Adjacency::REPLACE, muReplace.
    double Shift(Adjacency adjacency) const
    {
        return adjacency == Adjacency::REPLACE ? muReplace : muAddRemove;
    }

    /// Largest change of the sum by an example in the batch: its replacement in a batch of fixed
    /// size.
    double Distance(Adjacency adjacency) const
    {
        return sampling == Amplification::WITHOUT_REPLACEMENT ? muReplace : Shift(adjacency);
    }

    /// Strict order by all fields, for maps; its order has no meaning.
    bool operator<(const PrivacyStep& other) const;
};

/// Steps with their multiplicities, at least 1 each.
using StepCounts = std::map<PrivacyStep, std::uint64_t>;

/**
 * @brief Converts a release to a step.
 *
 * A batch clipped as a whole counts with twice its bound. In a batch of fixed size (`fixed`,
 * `shuffle`) a removed example is replaced, so it counts like a replaced one under either
 * adjacency. Releases of the sampler `shuffle` get no amplification.
 * @param release a release without an UnsupportedReason()
 * @return no value if rate or sensitivity is 0, so no example can influence the release
 */
std::optional<PrivacyStep> StepOf(const Release& release);

/// Tally of a node's releases, the input of accountants. Needs no list. An example is in only one
/// batch of an epoch of the sampler `shuffle`: each epoch counts once, with its most revealing
/// release. Releases that no example can influence are left out.
class ReleaseTally
{
  public:
    ReleaseTally() = default;

    /// @param releases all releases of one node, in any order
    ReleaseTally(const std::vector<Release>& releases);

    /// Adds @p count equal releases. A release with an UnsupportedReason() only sets Reason();
    /// later releases have no effect.
    void Add(const Release& release, std::uint64_t count = 1);

    /// Adds @p count equal steps. Of the steps with an epoch, only the most revealing one of each
    /// epoch counts.
    void Add(const PrivacyStep& step, std::optional<std::uint32_t> epoch, std::uint64_t count = 1);

    /// Counts of the added steps. Incomplete if Reason() is not empty.
    const StepCounts& Steps() const
    {
        return m_steps;
    }

    /// UnsupportedReason() of the first unsupported release; "" if there is none.
    const std::string& Reason() const
    {
        return m_reason;
    }

    /// True if some release has the flag BATCH_CLIP.
    bool HasBatchClip() const
    {
        return m_hasBatchClip;
    }

  private:
    StepCounts m_steps; ///< steps of the supported releases
    /// Most revealing step of each epoch, by kind of noise and epoch.
    std::map<std::pair<NoiseKind, std::uint32_t>, PrivacyStep> m_epochs;
    std::string m_reason;       ///< first reason to reject a release, or ""
    bool m_hasBatchClip{false}; ///< some batch was clipped as a whole
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_STEP_H
