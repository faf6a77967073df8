// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_CANARY_GAME_H
#define DPDL_AUDIT_CANARY_GAME_H

#include "dpdl/audit/canary-schedule.h"
#include "dpdl/audit/score-test.h"
#include "dpdl/base/random.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

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
