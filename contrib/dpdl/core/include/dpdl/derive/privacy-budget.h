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
 * It decides about each release before the release is made; all other guarantees are computed at
 * the end of the run. If the planned releases are fixed, they end before the first round with which
 * the run's certified accountant exceeds the budget. If releases depend on earlier ones, a privacy
 * filter limits them.
 */
class PrivacyBudget
{
  public:
    /**
     * @param plan plan of the run; must outlive this object
     * @param nodes number of nodes
     * @param budget largest epsilon that a node may spend, > 0
     * @throws UsageError naming option 'stopAt' if not even the first release fits
     */
    PrivacyBudget(const LearningPlan& plan, std::size_t nodes, double budget);

    /// True if the releases of a node in a round fit into its budget; they then count as made.
    /// Called once for each round that the node begins, in ascending order.
    bool MayRelease(NodeId node, Round round);

    /// The first round in which MayRelease() was false for a node; empty if it never was.
    std::optional<Round> HaltedIn(NodeId node) const
    {
        return m_haltedIn[node];
    }

    /// Nodes whose first refusal was after the last call of TakeHalted(), in the order of the
    /// refusals.
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

    /// Largest epsilon that a node may spend, as given by the user.
    double Budget() const
    {
        return m_budget;
    }

  private:
    /// State shared by nodes with the same plan.
    struct Kind
    {
        /// Planned releases, with the budget; null if releases depend on earlier ones.
        std::shared_ptr<BudgetedSchedule> schedule;
        /// Certified epsilon of all releases within the budget if no round is skipped.
        double bound{0.0};
    };

    void AddKind(NodeId node);
    std::unique_ptr<PrivacyFilter> MakeFilter(NodeId node) const;

    const LearningPlan& m_plan;              ///< planned releases of all nodes
    double m_budget;                         ///< largest epsilon that a node may spend
    std::map<const NodePlan*, Kind> m_kinds; ///< state shared by nodes with the same plan
    std::vector<std::unique_ptr<PrivacyFilter>> m_filters; ///< privacy filter of each node
    /// Result of HaltedIn() for each node.
    std::vector<std::optional<Round>> m_haltedIn;
    std::vector<NodeId> m_newlyHalted; ///< result of the next TakeHalted()
    /// For each node: number of calls of MayRelease() until its first refusal.
    std::vector<Round> m_asked;
    bool m_skipped{false}; ///< true: a node has skipped a round
};

} // namespace dpdl

#endif // DPDL_DERIVE_PRIVACY_BUDGET_H
