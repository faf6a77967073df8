// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNING_PLAN_H
#define DPDL_ALGORITHM_LEARNING_PLAN_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/types.h"
#include "dpdl/data/sampler.h"
#include "dpdl/privacy/guarantee-cache.h"
#include "dpdl/privacy/mode.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Everything that decides a plan. Sizes are those of one node; all nodes are equal.
struct LearningPlanSettings
{
    AlgorithmPreset algorithm;   ///< with the user's overrides applied
    Mode mode{Mode::SOUND};      ///< decides the calibration and the claim
    Round rounds{0};             ///< K >= 1
    std::size_t localSamples{0}; ///< J
    double batchSize{0.0};       ///< expected batch size B, 1..J
    double samplingRate{1.0};    ///< B / J, or 1 for full batches
    double epsilon{1.0};         ///< target, > 0
    double delta{1e-4};          ///< in (0, 1)
    bool noise{true};            ///< false: clip, but add no noise
    std::size_t parameters{1};   ///< d, the length of what a node releases
    /// how batches are drawn: what the ledger says of it
    std::shared_ptr<const Sampler> sampler{MakeSampler("poisson", 1, {})};
    /// where noise comes from: decides what is added for a wanted mu
    std::shared_ptr<const NoiseSource> noiseSource{MakeNoiseSource("philox", {})};
    std::string accountant{"pld"};              ///< certified one that calibrates and certifies
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    ReleaseFlag flags{ReleaseFlag::NONE};       ///< of every release, besides the algorithm's own
};

/// What a node does in one round.
struct RoundRule
{
    double clip{0.0};     ///< per-sample L2 bound C_k, infinity if the algorithm does not clip
    double unit{0.0};     ///< what the noise is a multiple of: C_k, or a stated bound G
    double mu{0.0};       ///< unit / noise as calibrated, 0 if not private; kept when noise is off
    double noise{0.0};    ///< standard deviation on the sum of clipped gradients, 0 when off
    double stepSize{0.0}; ///< gamma, on the sum divided by the batch size
    double grid{0.0};     ///< what the sum is rounded to before the noise, 0: it is not
    /// how far one example moves what the noise is added to: the clip bound, or a little more if
    /// the sum is rounded
    double sensitivity{0.0};
};

/**
 * @brief The schedules of a run, calibrated once, before it starts, the same for every node.
 *
 * The schedules depend on public numbers only, never on data, which is what the accountants rest
 * on (Dyn-D2P, Algorithm 1 and equations 4, 8 and 9).
 */
class LearningPlan
{
  public:
    /**
     * @brief Builds the schedules and calibrates the noise to the budget.
     *
     * In sound mode the accountant confirms the budget for the sampling and the adjacency in force.
     * Flags that rule out any guarantee are left aside while calibrating: the noise is then as if
     * they were not there, and nothing finite is certified.
     * @throws UsageError if the budget is out of range, or the accountant is unknown, not certified
     *         or, in sound mode, not made for these steps
     */
    explicit LearningPlan(const LearningPlanSettings& settings);

    /// K.
    Round Rounds() const
    {
        return static_cast<Round>(m_rules.size());
    }

    /// Expected batch size B, by which sums are divided; never the realised one.
    double BatchSize() const
    {
        return m_settings.batchSize;
    }

    /// The rule of round @p round < Rounds().
    const RoundRule& At(Round round) const
    {
        return m_rules[round];
    }

    /// What this plan was made from.
    const LearningPlanSettings& Settings() const
    {
        return m_settings;
    }

    /**
     * @brief The privacy that the paper's own accountant claims after the first rounds.
     *
     * The Gaussian-differential-privacy limit theorem over the calibrated mu_k, with p = 1/J in
     * paper mode and p = B/J in sound mode. Not a bound.
     *
     * @param rounds number of rounds executed
     * @return epsilon at the plan's delta; infinity for an algorithm without noise
     */
    double ClaimedEpsilon(Round rounds) const;

    /// p of the claim's formula.
    double ClaimedRate() const;

    /// How far the claim's limit theorem is from holding (CltKappa); 0 if nothing is claimed.
    double ClaimKappa() const;

    /// The ledger entry of @p node for @p round.
    Release ReleaseOf(NodeId node, Round round) const;

    /// The ledger entries of node 0 for all rounds.
    std::vector<Release> Releases() const;

    /// The run's accountant, its question, and what it has answered.
    const std::shared_ptr<GuaranteeCache>& Guarantees() const
    {
        return m_guarantees;
    }

  private:
    void Calibrate();
    double CalibratedScale(const std::vector<double>& shape) const;
    void SetStrength(const std::vector<double>& shape, double scale);
    Release MakeRelease(const std::string& mechanism,
                        double sensitivity,
                        double noise,
                        Round round) const;
    bool Exceeds(double epsilon) const;

    LearningPlanSettings m_settings;              ///< see Settings()
    std::shared_ptr<GuaranteeCache> m_guarantees; ///< see Guarantees()
    std::vector<RoundRule> m_rules;               ///< one for each round
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNING_PLAN_H
