// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_PRIVACY_RECORDER_H
#define DPDL_EXPERIMENT_PRIVACY_RECORDER_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/experiment/budget-guard.h"
#include "dpdl/experiment/validity-monitor.h"
#include "dpdl/privacy/ledger.h"
#include "dpdl/privacy/node-odometers.h"
#include "dpdl/trace/trace-store.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Keeps the privacy ledger of a run and says what it is worth, round by round and at the
 *        end.
 *
 * While the run goes on, what is certified is the smallest of three bounds: the Renyi odometer over
 * what was really released, the accountant's answer for a longer part of the plan, and the budget.
 * At the end the run's accountant evaluates the ledger of every node.
 */
class PrivacyRecorder
{
  public:
    /**
     * @param plan of the run
     * @param nodes number of nodes
     * @param guard stops nodes at their budget; nullptr: nothing does
     * @param monitor knows which claims still stand
     * @param store receives the rows
     */
    PrivacyRecorder(const LearningPlan& plan,
                    std::size_t nodes,
                    BudgetGuard* guard,
                    ValidityMonitor& monitor,
                    TraceStore& store);

    /**
     * @brief A node has released what the records of its step say.
     *
     * What differs from the plan voids claim and certificate of the node, with the difference as
     * the reason.
     * @param job done, with an update
     */
    void Add(const NodeJob& job);

    /// A node has announced a number computed from its data, and crashed before its noisy release.
    void AddAnnounced(NodeId node, Round round);

    /**
     * @brief Every node has closed a round: writes its row and reports nodes that were stopped.
     * @return the largest certified epsilon of any node so far
     */
    double CloseRound(Round round);

    /// What the user should know and has not been told, one sentence each.
    std::vector<std::string> TakeWarnings()
    {
        return std::exchange(m_warnings, {});
    }

    /// Writes the guarantee of every node.
    void Finish();

    /// What left each node.
    const PrivacyLedger& Releases() const
    {
        return m_ledger;
    }

  private:
    double PlanBound(NodeId node, Round round, bool fine);
    double CertifiedSoFar(NodeId node, Round round);
    double Claimed(NodeId node) const;
    std::string ClaimReason(NodeId node) const;
    void Append(const Release& release);
    void Write(const Release& release);
    Guarantee Evaluate(NodeId node);
    void ReportHalted();
    void ReportHalted(Round round, const std::vector<NodeId>& nodes);

    const LearningPlan& m_plan;                        ///< of the run
    BudgetGuard* m_guard;                              ///< may be nullptr
    ValidityMonitor& m_monitor;                        ///< knows which claims stand
    TraceStore& m_store;                               ///< receives the rows
    PrivacyLedger m_ledger;                            ///< see Releases()
    NodeOdometers m_odometers;                         ///< certified epsilon so far
    std::vector<std::unique_ptr<ClaimTotal>> m_claims; ///< by node, of what it released
    /// Accountant's answers, by the nodes' plan and how many of its rounds.
    std::map<std::pair<const NodePlan*, Round>, double> m_bounds;
    std::map<const void*, Guarantee> m_certified; ///< at the end, by odometer
    std::map<NodeId, std::string> m_mismatch;     ///< first difference from the plan
    std::vector<std::string> m_warnings;          ///< see TakeWarnings()
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_RECORDER_H
