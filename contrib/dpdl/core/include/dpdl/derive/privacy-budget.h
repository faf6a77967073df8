// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_PRIVACY_BUDGET_H
#define DPDL_DERIVE_PRIVACY_BUDGET_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/privacy/budgeted-schedule.h"
#include "dpdl/privacy/privacy-filter.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Stops each node of a run before the certified epsilon of its releases exceeds its privacy
 *        budget.
 *
 * MayRelease() admits or refuses the releases of a node's round before they are made. If the plan
 * fixes all releases in advance, it admits all rounds before the first round whose releases would
 * raise the certified epsilon above the budget. If releases depend on earlier releases, a filter
 * that allows such dependence decides (MakeRenyiFilter(), MakeGaussianFilter()).
 */
class PrivacyBudget
{
  public:
    /**
     * @param plan plan of the run; must outlive this object
     * @param nodes number of nodes
     * @param budget largest epsilon that a node may spend at the plan's delta, > 0
     * @throws UsageError naming option 'stopAt' if the releases of a node's first round alone
     *         exceed the budget or have no finite epsilon
     */
    PrivacyBudget(const LearningPlan& plan, std::size_t nodes, double budget);

    /// Returns true, and counts the node's planned releases of the round as made, if they fit into
    /// the node's privacy budget. Otherwise returns false; all later calls for the node then also
    /// return false. Must be called once for each round that the node begins, in ascending order of
    /// rounds.
    bool MayRelease(NodeId node, Round round);

    /// First round for which MayRelease() returned false for a node; empty: there was none.
    std::optional<Round> HaltedIn(NodeId node) const
    {
        return m_haltedIn[node];
    }

    /// Nodes for which MayRelease() first returned false since the last call of this function, in
    /// the order of those calls.
    std::vector<NodeId> TakeHalted()
    {
        return std::exchange(m_newlyHalted, {});
    }

    /// Certified guarantee of the releases of a node that MayRelease() admitted.
    Guarantee Certified(NodeId node) const
    {
        return m_filters[node]->Certified();
    }

    /// Upper bound on the epsilon that a node can spend in the whole run, at the plan's delta.
    double Bound(NodeId node) const;

    /// Largest epsilon that a node may spend, at the plan's delta; from option `stopAt`.
    double Budget() const
    {
        return m_budget;
    }

  private:
    /// State shared by nodes with the same plan.
    struct Kind
    {
        /// Planned releases and budget; nullptr if releases depend on earlier releases.
        std::shared_ptr<BudgetedSchedule> schedule;
        /// Certified epsilon of all planned releases within the budget, if no round is skipped.
        double bound{0.0};
    };

    void AddKind(NodeId node);
    std::unique_ptr<PrivacyFilter> MakeFilter(NodeId node) const;

    const LearningPlan& m_plan;              ///< planned releases of all nodes
    double m_budget;                         ///< largest epsilon that a node may spend
    std::map<const NodePlan*, Kind> m_kinds; ///< state shared by nodes with the same plan
    std::vector<std::unique_ptr<PrivacyFilter>> m_filters; ///< privacy filter of each node
    /// By node: first round for which MayRelease() returned false; empty: none.
    std::vector<std::optional<Round>> m_haltedIn;
    std::vector<NodeId> m_newlyHalted; ///< nodes that the next TakeHalted() returns
    /// By node: number of calls of MayRelease(), up to and including the first call that returned
    /// false.
    std::vector<Round> m_asked;
    /// True: MayRelease() was called for a round of a node, but not for all earlier rounds.
    bool m_skipped{false};
};

} // namespace dpdl

#endif // DPDL_DERIVE_PRIVACY_BUDGET_H
