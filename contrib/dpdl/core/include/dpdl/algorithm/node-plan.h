// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_NODE_PLAN_H
#define DPDL_ALGORITHM_NODE_PLAN_H

#include "dpdl/algorithm/plan-settings.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/training/release-record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace dpdl
{

/// What a node does in one round.
struct RoundRule
{
    double clip{0.0}; ///< per-sample L2 bound C_k, infinity if the algorithm does not clip
    double unit{0.0}; ///< what the noise is a multiple of: C_k, or a stated bound G
    double mu{0.0};   ///< unit / noise as calibrated, 0 if not private; kept when noise is off
    /// standard deviation, or Laplace scale, on the sum of clipped gradients, 0 when off; under a
    /// SensitivityRule the scale for a sensitivity of 1
    double noise{0.0};
    double stepSize{0.0}; ///< gamma, on the sum divided by the batch size
    double grid{0.0};     ///< what the sum is rounded to before the noise, 0: it is not
    /// how far one example moves what the noise is added to: the clip bound, or a little more if
    /// the sum is rounded
    double sensitivity{0.0};
    bool learns{true}; ///< false: no step; the other numbers are not used

    /// True if all numbers are equal.
    bool operator==(const RoundRule& other) const
    {
        return std::tie(clip, unit, mu, noise, stepSize, grid, sensitivity, learns) ==
               std::tie(other.clip,
                        other.unit,
                        other.mu,
                        other.noise,
                        other.stepSize,
                        other.grid,
                        other.sensitivity,
                        other.learns);
    }
};

/**
 * @brief The schedules of nodes with the same terms: number of samples and budget.
 *
 * The schedules depend on public numbers only, never on data, which is what the accountants rest
 * on (Dyn-D2P, Algorithm 1 and equations 4, 8 and 9).
 */
class NodePlan
{
  public:
    /**
     * @brief Builds the schedules and calibrates the noise to the budget.
     *
     * In sound mode the accountant confirms the budget for the sampling and the adjacency in force.
     * Flags that rule out any guarantee are left aside while calibrating: the noise is then as if
     * they were not there, and nothing finite is certified.
     * @param settings of the run; its own terms are not used
     * @param terms of the nodes
     * @param guarantees the accountant that certifies, and what it has answered
     * @param node one of them, whose rounds are planned; the only one if clients are drawn
     * @throws UsageError if the budget is out of range, the accountant is, in sound mode, not made
     *         for these steps, or float32 cannot hold the noise beside the sums
     */
    NodePlan(std::shared_ptr<const LearningPlanSettings> settings,
             const NodeTerms& terms,
             std::shared_ptr<AccountantCache> guarantees,
             NodeId node);

    /// Samples and budget.
    const NodeTerms& Terms() const
    {
        return m_terms;
    }

    /// The rule of round @p round.
    const RoundRule& At(Round round) const;

    /// Adds more noise than the budget needs. @param noise by round, where it is more
    void RaiseNoise(const std::vector<double>& noise);

    /// The epsilon that the noise was calibrated to; none if it is not private, or its noise fixed.
    std::optional<double> Budget() const;

    /// p of the claim's formula: 1/J where the paper counts one example a round, else B/J.
    double ClaimedRate() const;

    /// Epsilon of the paper's formula after the first @p rounds rounds.
    double ClaimedEpsilon(Round rounds) const;

    /// Distance from the claim's limit theorem (CltKappa); 0 without one.
    double ClaimKappa() const;

    /// The ledger entries of @p node for @p round, one for each iteration of the local step; none
    /// where no node steps.
    std::vector<Release> ReleasesOf(NodeId node, Round round) const;

    /**
     * @brief Releases of a round, from the records of its noise.
     *
     * Each record becomes an entry with the numbers that it states. Entries bear PLAN_MISMATCH if
     * the records are not those of ReleasesOf(): another number of them, other noise keys, another
     * mechanism or way to sample, less noise, a larger sensitivity, or fewer parameters than
     * travel. Numbers are compared to a relative 2^-20.
     * @param node who released
     * @param round when
     * @param records in the order of their draws
     * @param[out] mismatch the first difference, such as `the step added noise 0.5, the plan says
     *        1`; empty if there is none
     * @return at least one entry
     */
    std::vector<Release> Match(NodeId node,
                               Round round,
                               const std::vector<ReleaseRecord>& records,
                               std::string& mismatch) const;

    /// The ledger entries of @p node for all rounds.
    std::vector<Release> Releases(NodeId node) const;

  private:
    void Calibrate(const std::vector<double>& strength);
    ScheduleShape Steps(const std::vector<double>& strength) const;
    double CalibratedScale(const std::vector<double>& strength) const;
    void SpendAtMost(double epsilon, const std::vector<double>& strength);
    void SetStrength(const std::vector<double>& strength, double scale);
    bool FollowsData() const;
    void SetUnitNoise();
    std::uint32_t Iterations() const;
    std::uint32_t IterationsOf(Round round) const;
    Release::Fields PlannedFields(NodeId node, Round round, std::uint32_t iteration) const;
    std::string Difference(const ReleaseRecord& record, const Release::Fields& planned) const;
    Release MakeRelease(double sensitivity,
                        double noise,
                        Round round,
                        std::uint32_t iteration) const;
    bool Exceeds(double epsilon) const;
    void Fold(std::vector<RoundRule> rules);

    std::shared_ptr<const LearningPlanSettings> m_settings; ///< of the run
    NodeTerms m_terms;                                      ///< see Terms()
    std::shared_ptr<AccountantCache> m_guarantees;          ///< the accountant's answers
    std::vector<RoundRule> m_rules; ///< one for each round; in the end without repetitions
    std::vector<Round> m_first;     ///< first round of each rule
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_NODE_PLAN_H
