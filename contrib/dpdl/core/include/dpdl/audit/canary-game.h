// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_CANARY_GAME_H
#define DPDL_AUDIT_CANARY_GAME_H

#include "dpdl/audit/binomial-bounds.h"
#include "dpdl/base/random.h"
#include "dpdl/base/release.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpdl
{

/// One release, reduced to the coordinate in which only the canary has a gradient.
struct CanaryStep
{
    double rate{1.0}; ///< probability that the canary is in the batch, in [0, 1]
    /// Change of the coordinate by the canary, in standard deviations of the noise; >= 0.
    double shift{0.0};
    /// Id of the group that contains the step, such as an epoch: the canary is in at most one step
    /// of a group. 0: no group; the step is independent of all others.
    std::uint32_t group{0};
};

/// Largest simulated shift, in standard deviations of the noise; practically always detected. A
/// release without noise has this shift.
constexpr double LARGEST_SHIFT = 60.0;

/**
 * @brief Converts releases to the steps of a canary game, for a canary that moves each release as
 *        far as the clipping allows.
 *
 * - Poisson sampling: the canary adds its clipped gradient in a separate direction. Without the
 *   canary, or with a replacement whose gradient is zero, the coordinate is only noise.
 * - A batch of fixed size: the other examples of the batch have the opposite gradient, so the
 *   canary changes the sum by twice the clip norm (PrivacyStep::muReplace), under both neighbouring
 *   relations.
 * - Shuffled epochs: the canary is in one batch of an epoch, unknown to the attacker.
 * - Every example in every batch: the shift is the sensitivity under the neighbouring relation.
 *
 * Releases that no example can influence are left out. A release without noise or without clipping
 * has the shift LARGEST_SHIFT.
 *
 * @param releases releases of one node, in the order of sending
 * @param adjacency neighbouring relation of datasets
 * @throws UsageError if a release has non-Gaussian noise, an unknown sampler, or a rate outside [0,
 *         1]
 */
std::vector<CanaryStep> CanarySteps(const std::vector<Release>& releases, Adjacency adjacency);

/**
 * @brief The membership-inference game of one canary. Only the canary's coordinate is simulated.
 *
 * A run draws the batches and the noise of a whole schedule, with or without the canary. Its score
 * is the log-likelihood ratio of the view of an eavesdropper on all links of the node:
 *
 *     sum over steps of log(1 - q + q exp(mu y - mu^2 / 2)),
 *
 * where y is the observed coordinate in standard deviations of the noise, q the rate and mu the
 * shift of the step. By the Neyman-Pearson lemma, no other score distinguishes runs with the canary
 * better from runs without it. Steps of a group share one logarithm, because the canary is in at
 * most one of them. Steps with rate 1 are merged into one, whose shift is the square root of the
 * sum of the squared shifts.
 *
 * The result of run r is a function of (seed, r), independent of the number of threads.
 */
class CanaryGame
{
  public:
    /// @param steps steps of the schedule, at least one; the steps of a group are consecutive
    explicit CanaryGame(const std::vector<CanaryStep>& steps);

    /**
     * @brief Simulates runs 0 .. runs-1 and returns their scores.
     * @param withCanary true: the data include the canary
     * @param runs number of runs
     * @param seed seed of the random numbers; runs with and without the canary use different random
     *        numbers
     * @param threads number of threads, at least 1
     */
    std::vector<double> Scores(bool withCanary,
                               std::size_t runs,
                               RandomSeed seed,
                               std::size_t threads = 1) const;

    /// Simulates @p runs runs with the canary and as many without it.
    /// @param threads number of threads, at least 1
    ScoreSample Play(std::size_t runs, RandomSeed seed, std::size_t threads = 1) const;

  private:
    /// Consecutive steps, at most one of which includes the canary; indices into m_rate.
    struct Group
    {
        std::size_t begin; ///< index of the first step of the group
        std::size_t end;   ///< index past the last step of the group
        double none;       ///< probability that no step of the group includes the canary
    };

    void AddStep(const CanaryStep& step);
    void AddGroup(const std::vector<CanaryStep>& steps, std::size_t begin, std::size_t end);
    double Score(bool withCanary, std::uint32_t run, RandomSeed seed, std::vector<float>& y) const;
    void Include(const RandomStream& coins, std::vector<float>& y) const;
    double SureScore(bool withCanary, const RandomStream& noise) const;

    // All vectors with one element per step have the independent steps first, padded with steps of
    // rate 0 to a multiple of the block size, then the steps of the groups.
    std::vector<float> m_rate; ///< for each step: probability that the canary is in the batch
    /// For each step: shift by the canary, in standard deviations of the noise.
    std::vector<float> m_shift;
    std::vector<float> m_offset; ///< for each step: -shift^2 / 2
    /// Probability 1 - rate that the canary is not in the batch, by independent step.
    std::vector<double> m_none;
    /// For each independent step: sum of -log(1 - rate) over the steps up to this one.
    std::vector<double> m_hazard;
    std::vector<Group> m_groups; ///< groups of steps, in the order of the schedule
    double m_sureShift{0.0};     ///< shift of all steps with rate 1 together
};

} // namespace dpdl

#endif // DPDL_AUDIT_CANARY_GAME_H
