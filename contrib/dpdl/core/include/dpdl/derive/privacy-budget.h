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
 * @brief Stops every node of a run before it exceeds its privacy budget.
 *
 * It accounts for each release before it is made. All other guarantees are computed at the end of
 * the run. A fixed plan is cut at the last round that fits by the run's certified accountant. If
 * releases depend on earlier ones, a privacy filter with a fixed order and budget limits them.
 */
class PrivacyBudget
{
  public:
    /**
     * @param plan of the run; outlives this object
     * @param nodes number of nodes
     * @param budget largest epsilon of any node
     * @throws UsageError naming option 'stopAt' if not even the first release fits
     */
    PrivacyBudget(const LearningPlan& plan, std::size_t nodes, double budget);

    /// True if the node may use its data in the round; called once for each round that it begins.
    bool MayRelease(NodeId node, Round round);

    /// The round in which a node was first refused; empty if it was not.
    std::optional<Round> HaltedIn(NodeId node) const
    {
        return m_haltedIn[node];
    }

    /// Nodes that were refused since the last call, in chronological order.
    std::vector<NodeId> TakeHalted()
    {
        return std::exchange(m_newlyHalted, {});
    }

    /// Certified guarantee of the admitted releases of a node.
    Guarantee Certified(NodeId node) const
    {
        return m_filters[node]->Certified();
    }

    /// Upper bound on the epsilon that a node can ever spend.
    double Bound(NodeId node) const;

    /// Largest epsilon of any node, as given by the user.
    double Budget() const
    {
        return m_budget;
    }

  private:
    /// State shared by nodes with the same plan.
    struct Kind
    {
        /// Planned releases, cut at the last round within the budget; empty if releases are
        /// adaptive.
        std::shared_ptr<BudgetedSchedule> schedule;
        double bound{0.0}; ///< certified epsilon if no node skips a round
    };

    void AddKind(NodeId node);
    std::unique_ptr<PrivacyFilter> MakeFilter(NodeId node) const;

    const LearningPlan& m_plan;                            ///< planned releases of all nodes
    double m_budget;                                       ///< largest epsilon of any node
    std::map<const NodePlan*, Kind> m_kinds;               ///< by plan: state that its nodes share
    std::vector<std::unique_ptr<PrivacyFilter>> m_filters; ///< privacy filters, by node
    /// By node: round of the first refusal; empty: none.
    std::vector<std::optional<Round>> m_haltedIn;
    std::vector<NodeId> m_newlyHalted; ///< nodes halted since the last TakeHalted()
    std::vector<Round> m_asked; ///< by node: number of calls of MayRelease() before a refusal
    bool m_skipped{false};      ///< true: some node has skipped a round
};

} // namespace dpdl

#endif // DPDL_DERIVE_PRIVACY_BUDGET_H
