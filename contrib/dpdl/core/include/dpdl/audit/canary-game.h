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

/// Effect of one noisy message on the coordinate in which only the canary has a gradient.
struct CanaryStep
{
    double rate{1.0};  ///< probability that the canary is in the batch, in [0, 1]
    double shift{0.0}; ///< the canary's shift of the coordinate, in noise standard deviations; >= 0
    /// The canary is in at most one of the consecutive steps of a group, such as an epoch. Steps of
    /// group 0 are independent.
    std::uint32_t group{0};
};

/// Largest simulated shift, in noise standard deviations. An observer detects it practically
/// always. A release without noise gets it.
constexpr double LARGEST_SHIFT = 60.0;

/**
 * @brief Converts releases to the game of the worst possible canary.
 *
 * - Poisson sampling: the canary adds its clipped gradient in a separate direction. Without it, or
 * with a replacement whose gradient is zero, the coordinate has no signal.
 * - A batch of fixed size: the other examples of the batch have the opposite gradient, so the
 * canary moves the sum by twice the bound (`muReplace`). The same data serve both adjacencies.
 * - Shuffled epochs: the canary is in one batch of an epoch, unknown to the attacker.
 * - Every example in every batch: the shift of the adjacency.
 *
 * Releases that no example can influence are left out. A release without noise or without a bound
 * gets LARGEST_SHIFT.
 *
 * @param releases releases of one node, in the order of sending
 * @param adjacency neighbouring relation of datasets
 * @throws UsageError if a release has non-Gaussian noise, an unknown sampler, or a rate outside [0,
 *         1]
 */
std::vector<CanaryStep> CanarySteps(const std::vector<Release>& releases, Adjacency adjacency);

/**
 * @brief The membership game of one canary; simulates only the canary's coordinate.
 *
 * A run draws the batches and the noise of a whole schedule, with or without the canary. Its score
 * is the log-likelihood ratio of the view of an eavesdropper on all links of the node:
 *
 *     sum over steps of log(1 - q + q exp(mu y - mu^2 / 2)),
 *
 * y is the canary's coordinate in units of the noise, q the rate and mu the shift of the step. By
 * the Neyman-Pearson lemma no rule distinguishes the two cases better. Steps of a group share one
 * logarithm, because the canary is in at most one of them. Steps that certainly include the canary
 * are merged into one, with the root of the sum of the squared shifts.
 *
 * Run r is a function of (seed, r) alone, for any number of threads.
 */
class CanaryGame
{
  public:
    /// @param steps steps of the schedule, at least one; the steps of a group are consecutive
    explicit CanaryGame(const std::vector<CanaryStep>& steps);

    /**
     * @brief Scores of runs 0 .. runs-1.
     * @param withCanary true: the data include the canary
     * @param runs number of runs
     * @param seed seed of the random numbers; runs with and without the canary share none
     * @param threads number of threads, at least 1
     */
    std::vector<double> Scores(bool withCanary,
                               std::size_t runs,
                               RandomSeed seed,
                               std::size_t threads = 1) const;

    /// Scores of @p runs runs with the canary and of as many runs without. @param threads number of
    /// threads, at least 1
    ScoreSample Play(std::size_t runs, RandomSeed seed, std::size_t threads = 1) const;

  private:
    /// Consecutive steps, at most one of which includes the canary.
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

    // Independent steps come first, padded to whole blocks; grouped steps follow.
    std::vector<float> m_rate;   ///< probability of each step that the canary is in the batch
    std::vector<float> m_shift;  ///< canary's shift in each step, in noise standard deviations
    std::vector<float> m_offset; ///< constant term of each step's log-likelihood: -shift^2 / 2
    /// Probability that an independent step misses the canary: 1 - rate.
    std::vector<double> m_none;
    /// By independent step: sum of -log(1 - rate) over all steps up to this one.
    std::vector<double> m_hazard;
    std::vector<Group> m_groups; ///< all groups
    double m_sureShift{0.0};     ///< shift of all certain steps together
};

} // namespace dpdl

#endif // DPDL_AUDIT_CANARY_GAME_H
