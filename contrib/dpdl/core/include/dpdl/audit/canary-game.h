// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_CANARY_GAME_H
#define DPDL_AUDIT_CANARY_GAME_H

#include "dpdl/audit/score-test.h"
#include "dpdl/base/random.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpdl
{

/// What one noisy message does to the coordinate in which only the canary has a gradient.
struct CanaryStep
{
    double rate{1.0};  ///< probability that the canary is in the batch, in [0, 1]
    double shift{0.0}; ///< how far it then moves the coordinate, in noise standard deviations; >= 0
    /// The canary is in at most one of the consecutive steps of a group, e.g. of an epoch. Steps of
    /// group 0 stand alone.
    std::uint32_t group{0};
};

/// The largest shift that is simulated: with it, no observer can be wrong. No noise counts as this.
constexpr double LARGEST_SHIFT = 60.0;

/**
 * @brief The game that a list of releases amounts to, for the worst canary that it allows.
 *
 * - Poisson sampling: the canary adds its clipped gradient in its own direction; without it,
 *   or with a replacement whose gradient is zero, nothing is there.
 * - A batch of fixed size: the other examples of the batch have the opposite gradient, so that the
 *   canary moves the sum by twice the bound (`swing`). The same data serve both adjacencies.
 * - Shuffled epochs: the canary is in one batch of an epoch, and the attacker does not know which.
 * - Every example in every batch: the shift of the adjacency.
 *
 * Releases that no example can influence are left out; a release without noise or without a bound
 * gets LARGEST_SHIFT.
 *
 * @param releases of one node, in the order in which they were made
 * @param adjacency which datasets are neighbours
 * @throws UsageError if a release has a noise other than Gaussian, a sampler that is not known, or
 *         a rate outside [0, 1]
 */
std::vector<CanaryStep> CanarySteps(const std::vector<Release>& releases, Adjacency adjacency);

/**
 * @brief The membership game of one canary, with only the canary's coordinate simulated.
 *
 * A run draws the batches and the noise of a whole schedule, with or without the canary, and
 * scores what an eavesdropper on all links of the node sees: the logarithm of the likelihood ratio
 *
 *     sum over steps of log(1 - q + q exp(mu y - mu^2 / 2)),
 *
 * y being the canary's coordinate in units of the noise, q the rate and mu the shift of the step.
 * By the lemma of Neyman and Pearson no rule distinguishes the two cases better. Steps of a group
 * share one logarithm, since the canary is in one of them at most; steps that surely hold the
 * canary are played as one, with the root of the sum of the squared shifts.
 *
 * Run r is a function of (seed, r) alone, however many threads there are.
 */
class CanaryGame
{
  public:
    /// @param steps at least one, groups as runs of consecutive steps
    explicit CanaryGame(const std::vector<CanaryStep>& steps);

    /**
     * @brief Scores of runs 0 .. runs-1.
     * @param withCanary whether the data hold the canary
     * @param runs how many
     * @param seed names the random numbers; the two cases never share any
     * @param threads how many threads to use, at least 1
     */
    std::vector<double> Scores(bool withCanary,
                               std::size_t runs,
                               RandomSeed seed,
                               std::size_t threads = 1) const;

    /// Scores of as many runs with the canary as without.
    ScoreSample Play(std::size_t runs, RandomSeed seed, std::size_t threads = 1) const;

  private:
    /// A set of consecutive steps of which at most one holds the canary.
    struct Group
    {
        std::size_t begin; ///< first step
        std::size_t end;   ///< one past the last step
        double none;       ///< probability that no step of it holds the canary
    };

    void AddStep(const CanaryStep& step);
    void AddGroup(const std::vector<CanaryStep>& steps, std::size_t begin, std::size_t end);
    double Score(bool withCanary, std::uint32_t run, RandomSeed seed, std::vector<float>& y) const;
    void Include(const RandomStream& coins, std::vector<float>& y) const;
    double SureScore(bool withCanary, const RandomStream& noise) const;

    // Steps that stand alone come first, padded to whole blocks; those of groups follow.
    std::vector<float> m_rate;    ///< per step
    std::vector<float> m_shift;   ///< per step
    std::vector<float> m_offset;  ///< per step: -shift^2 / 2
    std::vector<double> m_none;   ///< per step that stands alone: 1 - rate
    std::vector<double> m_hazard; ///< per step that stands alone: sum of -log(1 - rate) up to it
    std::vector<Group> m_groups;  ///< the groups
    double m_sureShift{0.0};      ///< of all sure steps together
};

} // namespace dpdl

#endif // DPDL_AUDIT_CANARY_GAME_H
