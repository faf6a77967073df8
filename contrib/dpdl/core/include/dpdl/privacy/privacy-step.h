// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PRIVACY_STEP_H
#define DPDL_PRIVACY_PRIVACY_STEP_H

#include "dpdl/privacy/release.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// What two neighbouring datasets differ in.
enum class Adjacency
{
    ADD_REMOVE, ///< one of them holds one example more
    REPLACE,    ///< one example has another value
};

/// `add-remove` or `replace`.
std::string ToString(Adjacency adjacency);

/// The distribution of the noise.
enum class NoiseKind
{
    GAUSSIAN,          ///< N(0, noise^2) on every coordinate; sensitivities in L2
    LAPLACE,           ///< Laplace of scale noise on every coordinate; sensitivities in L1
    DISCRETE_GAUSSIAN, ///< integer multiples of a grid (Canonne, Kamath and Steinke, 2020)
};

/// Amplification by a secret choice of the batch.
enum class Amplification
{
    NONE,                ///< the example is in, or the choice must not be counted on
    POISSON,             ///< each example is in with probability rate, independently
    WITHOUT_REPLACEMENT, ///< a uniformly drawn set of fixed size, rate = size / local examples
};

/**
 * @brief One release as accountants see it: numbers without a unit.
 *
 * Steps that compare equal cost the same and are counted, not repeated.
 */
struct PrivacyStep
{
    NoiseKind noise{NoiseKind::GAUSSIAN};        ///< distribution of the noise
    Amplification sampling{Amplification::NONE}; ///< what the batch was drawn by
    double rate{1.0};                            ///< in (0, 1]; 1 for NONE
    /// How far one example moves the sum when it comes or goes, divided by the noise; >= 0, finite
    double muAddRemove{0.0};
    /// The same when it is replaced; muAddRemove <= muReplace <= 2 muAddRemove
    double muReplace{0.0};

    /// muAddRemove or muReplace.
    double Shift(Adjacency adjacency) const
    {
        return adjacency == Adjacency::REPLACE ? muReplace : muAddRemove;
    }

    /// Any strict order.
    bool operator<(const PrivacyStep& other) const;
};

/// Steps, and how often each was taken; counts are at least 1.
using StepCounts = std::map<PrivacyStep, std::uint64_t>;

/// A release as it counts.
struct CountedStep
{
    PrivacyStep step;                   ///< what it costs
    std::optional<std::uint32_t> epoch; ///< of the sampler `shuffle`: the pass that it belongs to
};

/**
 * @brief The step that a release counts as.
 * @param release without an UnsupportedReason()
 * @return nothing if no example can influence it: rate or sensitivity 0
 */
std::optional<CountedStep> CountedStepOf(const Release& release);

/// ToStepCounts() of a growing list.
class StepTally
{
  public:
    /// Counts a step; of an epoch the most revealing one only.
    void Add(const CountedStep& counted);

    /// The steps so far.
    const StepCounts& Counts() const
    {
        return m_counts;
    }

  private:
    StepCounts m_counts; ///< see Counts()
    /// Step of each epoch.
    std::map<std::pair<NoiseKind, std::uint32_t>, PrivacyStep> m_epochs;
};

/// Tally of a node's releases for accountants, taken one by one without a list.
class ReleaseTally
{
  public:
    /// Takes one more.
    void Add(const Release& release);

    /// The steps of releases without an UnsupportedReason().
    const StepCounts& Steps() const
    {
        return m_steps.Counts();
    }

    /// The first UnsupportedReason(), or "".
    const std::string& Reason() const
    {
        return m_reason;
    }

    /// True if a batch was clipped as a whole.
    bool HasBatchClip() const
    {
        return m_hasBatchClip;
    }

  private:
    StepTally m_steps;          ///< see Steps()
    std::string m_reason;       ///< see Reason()
    bool m_hasBatchClip{false}; ///< see HasBatchClip()
};

/// All of a list.
ReleaseTally TallyOf(const std::vector<Release>& releases);

/**
 * @brief The steps of a node's releases.
 *
 * A batch clipped as a whole counts with twice its bound. In a batch of fixed size (`fixed`,
 * `shuffle`) another example takes the place of one that goes: it moves the sum as far as one that
 * is replaced, whatever the adjacency. Releases of the sampler `shuffle` get no amplification, but
 * an example is in one batch of an epoch only: of each epoch the most revealing release counts,
 * once. Releases that no example can influence (rate 0, sensitivity 0) are left out.
 *
 * @param releases of one node, in any order, none of which has an UnsupportedReason()
 */
StepCounts ToStepCounts(const std::vector<Release>& releases);

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_STEP_H
