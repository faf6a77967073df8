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
    REPLACE,    ///< the datasets have equal sizes and differ in the value of one example
};

/// Name of the relation: `add-remove` or `replace`.
std::string ToString(Adjacency adjacency);

/// Distribution of the noise of a release.
enum class NoiseKind
{
    GAUSSIAN, ///< N(0, noise^2) on every coordinate; sensitivities are L2 norms
    LAPLACE,  ///< Laplace noise of scale `noise` on every coordinate; sensitivities are L1 norms
    /// Discrete Gaussian noise on the multiples of a grid spacing (Canonne, Kamath and Steinke,
    /// 2020); sensitivities are L2 norms.
    DISCRETE_GAUSSIAN,
};

/// Kind of privacy amplification by a secret random batch.
enum class Amplification
{
    /// No amplification: all examples are in the batch, or there is no theorem for the sampler.
    NONE,
    POISSON,             ///< each example is in the batch with probability `rate`, independently
    WITHOUT_REPLACEMENT, ///< a uniformly drawn batch of fixed size; rate = batch size / number of
                         ///< the node's examples
};

/**
 * @brief Parameters of a release that determine its privacy cost, in dimensionless numbers.
 *
 * Equal steps have equal cost, so StepCounts stores each different step once, with its count.
 */
struct PrivacyStep
{
    NoiseKind noise{NoiseKind::GAUSSIAN};        ///< distribution of the noise
    Amplification sampling{Amplification::NONE}; ///< sampling of the batch
    double rate{1.0}; ///< probability that an example is in the batch, in (0, 1]; 1 for NONE
    /// Sensitivity to one added or removed example, divided by the noise standard deviation
    /// (LAPLACE: scale); >= 0, finite.
    double muAddRemove{0.0};
    /// Sensitivity to one replaced example, divided by the noise standard deviation (LAPLACE:
    /// scale); in [muAddRemove, 2 muAddRemove].
    double muReplace{0.0};

    /// Sensitivity divided by noise standard deviation (LAPLACE: scale) under a neighbouring
    /// relation: muAddRemove for ADD_REMOVE, muReplace for REPLACE.
    double Shift(Adjacency adjacency) const
    {
        return adjacency == Adjacency::REPLACE ? muReplace : muAddRemove;
    }

    /// Largest change of the gradient sum by one example in the batch, divided by the noise
    /// standard deviation (LAPLACE: scale). For WITHOUT_REPLACEMENT it is muReplace, because
    /// another example takes the place of a removed example. For other samplings it is Shift().
    double Distance(Adjacency adjacency) const
    {
        return sampling == Amplification::WITHOUT_REPLACEMENT ? muReplace : Shift(adjacency);
    }

    /// Strict order over all fields, so steps can be keys of a map.
    bool operator<(const PrivacyStep& other) const;
};

/// Multiset of steps: number of equal steps, at least 1, by step.
using StepCounts = std::map<PrivacyStep, std::uint64_t>;

/**
 * @brief Converts a release to a step.
 *
 * If a batch is clipped as a whole, its sensitivity is twice the clip norm. In a batch of fixed
 * size (samplers `fixed` and `shuffle`), another example takes the place of a removed example, so
 * muReplace counts under both neighbouring relations. The sampler `shuffle` has no amplification.
 * @param release a release without an UnsupportedReason()
 * @return the step; no value if the sampling rate or the sensitivity is 0, because no example can
 *         then influence the release
 */
std::optional<PrivacyStep> StepOf(const Release& release);

/// Step counts of one node's releases, the input of accountants. With the samplers `shuffle` and
/// `cyclic-poisson`, an example is in at most one batch of an epoch. Each epoch then counts as one
/// step, with the largest rate and mu of its steps. Releases that no example can influence are left
/// out.
class ReleaseTally
{
  public:
    ReleaseTally() = default;

    /// @param releases all releases of one node, in any order
    ReleaseTally(const std::vector<Release>& releases);

    /// Adds @p count equal releases. The first release with an UnsupportedReason() only sets
    /// Reason(). All later releases are ignored.
    void Add(const Release& release, std::uint64_t count = 1);

    /// Adds @p count equal steps. Steps with the same @p epoch count as one step, with their
    /// largest rate and mu; @p count is then ignored.
    void Add(const PrivacyStep& step, std::optional<std::uint32_t> epoch, std::uint64_t count = 1);

    /// Step counts of the added releases; incomplete if Reason() is not "".
    const StepCounts& Steps() const
    {
        return m_steps;
    }

    /// UnsupportedReason() of the first unsupported release; "": all are supported.
    const std::string& Reason() const
    {
        return m_reason;
    }

    /// True if a release has the flag BATCH_CLIP.
    bool HasBatchClip() const
    {
        return m_hasBatchClip;
    }

  private:
    StepCounts m_steps; ///< steps of the supported releases
    /// Step that represents an epoch, with the largest rate and mu of its steps; key: kind of noise
    /// and epoch.
    std::map<std::pair<NoiseKind, std::uint32_t>, PrivacyStep> m_epochs;
    std::string m_reason;       ///< UnsupportedReason() of the first unsupported release; "": none
    bool m_hasBatchClip{false}; ///< true: a release has the flag BATCH_CLIP
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_STEP_H
