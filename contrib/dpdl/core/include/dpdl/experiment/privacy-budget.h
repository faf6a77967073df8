// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_PRIVACY_BUDGET_H
#define DPDL_EXPERIMENT_PRIVACY_BUDGET_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/algorithm/release-filter.h"
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
 * A plan that was fixed beforehand is cut where the run's certified accountant says so; one whose
 * releases depend on earlier ones is held back by a filter whose order and budget are fixed now.
 */
class PrivacyBudget : public ReleaseFilter
{
  public:
    /**
     * @param plan of the run; outlives the guard
     * @param nodes number of nodes
     * @param budget largest epsilon of any node
     * @throws UsageError naming option 'stopAt' if not even the first release fits
     */
    PrivacyBudget(const LearningPlan& plan, std::size_t nodes, double budget);

    bool MayRelease(NodeId node, Round round) override;

    /// The round in which a node was first refused, if it was.
    std::optional<Round> HaltedIn(NodeId node) const
    {
        return m_haltedIn[node];
    }

    /// Nodes that were refused since the last call, in the order in which that happened.
    std::vector<NodeId> TakeHalted()
    {
        return std::exchange(m_newlyHalted, {});
    }

    /// Certified guarantee of the releases that a node was allowed.
    Guarantee Certified(NodeId node) const
    {
        return m_filters[node]->Certified();
    }

    /// The node never spends more than this, whatever happens.
    double Bound(NodeId node) const;

    /// Largest epsilon of any node, as asked for.
    double Budget() const
    {
        return m_budget;
    }

  private:
    /// Common state of nodes of one kind.
    struct Kind
    {
        std::shared_ptr<BudgetedSchedule> schedule; ///< empty if releases are adaptive
        double bound{0.0};                          ///< if no node leaves out a round
    };

    void AddKind(NodeId node);
    std::unique_ptr<PrivacyFilter> MakeFilter(NodeId node) const;

    const LearningPlan& m_plan;                            ///< of the run
    double m_budget;                                       ///< see Budget()
    std::map<const NodePlan*, Kind> m_kinds;               ///< by the nodes' plan
    std::vector<std::unique_ptr<PrivacyFilter>> m_filters; ///< by node
    std::vector<std::optional<Round>> m_haltedIn;          ///< see HaltedIn()
    std::vector<NodeId> m_newlyHalted; ///< nodes halted since the last TakeHalted()
    std::vector<Round> m_asked;        ///< by node, how often it has asked
    bool m_skipped{false};             ///< some node left out a round
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_BUDGET_H
