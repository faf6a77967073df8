// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNING_PLAN_H
#define DPDL_ALGORITHM_LEARNING_PLAN_H

#include "dpdl/algorithm/node-plan.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief The schedules of clip norm, noise standard deviation and step size of all nodes of a run,
 *        calibrated once before the run starts.
 *
 * Nodes may differ in number of examples (and so in sampling rate), in privacy budget, and, if
 * clients are drawn, in the rounds in which they step. Nodes without such differences form a kind,
 * which shares one NodePlan.
 */
class LearningPlan
{
  public:
    /**
     * @brief Calibrates the noise, once for each kind of nodes.
     * @throws Error if clients are drawn, or a server does not learn, and
     *         LearningPlanSettings::nodes is empty
     * @throws UsageError if a budget is out of range, or the accountant is unknown, not certified
     *         or, in sound mode, does not support these steps
     */
    explicit LearningPlan(const LearningPlanSettings& settings);

    /// Number of rounds K.
    Round Rounds() const
    {
        return m_settings->rounds;
    }

    /// Settings of this plan. LearningPlanSettings::flags includes the flags of the algorithm.
    const LearningPlanSettings& Settings() const
    {
        return *m_settings;
    }

    /// Schedules of @p node. Nodes of one kind share one object.
    const NodePlan& Of(NodeId node) const
    {
        return *m_kinds[m_kindOf.empty() ? 0 : m_kindOf[node]];
    }

    /// Lowest-numbered node of each kind of nodes with equal plans, ascending.
    const std::vector<NodeId>& Representatives() const
    {
        return m_representatives;
    }

    /// Expected batch size B of @p node, in examples. The node divides gradient sums by B, never by
    /// the realised size.
    double BatchSize(NodeId node) const
    {
        return Of(node).Terms().batchSize;
    }

    /// Clip norm, noise standard deviation and step size of @p node in round @p round < Rounds().
    const RoundRule& At(NodeId node, Round round) const
    {
        return Of(node).At(round);
    }

    /// Sampling rate p in (0, 1] of @p node in the paper's formula for the claimed epsilon.
    double ClaimedRate(NodeId node) const
    {
        return Of(node).ClaimedRate();
    }

    /**
     * @brief Epsilon that the paper's formula claims after the first @p rounds rounds. Not a proven
     *        bound.
     *
     * @param node index of the node
     * @param rounds number of completed rounds
     * @return epsilon at the plan's delta; infinity for an algorithm that is not private
     */
    double ClaimedEpsilon(NodeId node, Round rounds) const
    {
        return Of(node).ClaimedEpsilon(rounds);
    }

    /// Largest NodePlan::ClaimKappa() of all nodes.
    double ClaimKappa() const;

    /// Planned ledger entries of @p node for @p round, one per iteration of the local step; none
    /// without a step.
    std::vector<Release> ReleasesOf(NodeId node, Round round) const
    {
        return Of(node).ReleasesOf(node, round);
    }

    /// Ledger entries of @p node for @p round, made from the records of the drawn noise; see
    /// NodePlan::Match().
    std::vector<Release> Match(NodeId node,
                               Round round,
                               const std::vector<Release>& records,
                               std::string& mismatch) const
    {
        return Of(node).Match(node, round, records, mismatch);
    }

    /// Planned ledger entries of @p node for all rounds.
    std::vector<Release> Releases(NodeId node) const
    {
        return Of(node).Releases(node);
    }

    /// The run's accountant, its query, and its cached answers.
    const std::shared_ptr<AccountantCache>& Guarantees() const
    {
        return m_guarantees;
    }

  private:
    void FindKinds();

    /// Settings of the plan; `flags` includes the flags of the algorithm.
    std::shared_ptr<const LearningPlanSettings> m_settings;
    std::shared_ptr<AccountantCache> m_guarantees; ///< the accountant, with its cached answers
    std::vector<std::shared_ptr<const NodePlan>> m_kinds; ///< one plan per kind of node
    std::vector<NodeId> m_representatives; ///< lowest-numbered node of each kind, ascending
    std::vector<std::size_t> m_kindOf;     ///< index in m_kinds for each node; empty: 0 for all
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNING_PLAN_H
