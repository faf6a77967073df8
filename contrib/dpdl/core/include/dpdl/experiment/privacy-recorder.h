// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_PRIVACY_RECORDER_H
#define DPDL_EXPERIMENT_PRIVACY_RECORDER_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/experiment/completed-rounds.h"
#include "dpdl/experiment/privacy-budget.h"
#include "dpdl/experiment/sent-certificate.h"
#include "dpdl/privacy/ledger.h"
#include "dpdl/trace/trace-store.h"

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Keeps the privacy ledger of a run and evaluates it at the end of the run.
 *
 * Finish() computes the guarantee of every node with the accountant, and the rows of
 * GuaranteeByRound with CertifiedCurve(). The last row has the largest of the accountant's answers,
 * and no earlier row exceeds it. A killed run has no such rows; resuming it writes them.
 */
class PrivacyRecorder
{
  public:
    /**
     * @param plan of the run
     * @param nodes number of nodes
     * @param guard stops nodes at their budget; nullptr: no limit
     * @param monitor records which claims are still valid
     * @param store receives the rows
     * @param leaked secrets that are known. Releases of leaking nodes count with their separate
     *        noise; if the plan no longer hides any release, nothing is certified
     */
    PrivacyRecorder(const LearningPlan& plan,
                    std::size_t nodes,
                    PrivacyBudget* guard,
                    ValidityMonitor& monitor,
                    TraceStore& store,
                    LeakedSecrets leaked = {});

    /**
     * @brief Adds the releases of a node's step, once per round.
     *
     * If the releases differ from the plan, claim and certificate of the node become infinite, and
     * the trace has the difference as the reason.
     * @param job completed, with an update
     */
    void Add(const NodeJob& job);

    /// Records that a node announced a number computed from its data; its noisy release is to
    /// follow.
    void Announce(NodeId node, Round round)
    {
        m_announced[node] = round + 1;
    }

    /// Records that a node's noisy release does not follow; its announcement, if any, counts as a
    /// release without noise.
    void EndAnnounced(NodeId node);

    /// True if a certificate depends on sums of the parts of all nodes, at a trusted server.
    bool NeedsAllParts() const;

    /**
     * @brief Records that the sum of a round lacks a node's part: it has less noise than certified,
     *        so from now on nothing is certified for any node.
     * @param detail one line of explanation; only if NeedsAllParts()
     */
    void LosePart(const std::string& detail);

    /**
     * @brief Records the claimed epsilon of a round that every node has closed, and reports stopped
     *        nodes.
     * @return epsilon that no node exceeds, by the guard; empty without a guard
     */
    std::optional<double> CloseRound(Round round);

    /// New warnings for the user, one line each.
    std::vector<std::string> TakeWarnings()
    {
        return std::exchange(m_warnings, {});
    }

    /**
     * @brief Writes the guarantees of every node, of every round and of the run.
     * @param mayLackReleases see MayLackReleases()
     * @param complete false: the run was interrupted; rows within 5 % share a bound
     */
    void Finish(const std::vector<bool>& mayLackReleases, bool complete);

    /// Releases of each node.
    const PrivacyLedger& Releases() const
    {
        return m_ledger;
    }

  private:
    std::vector<double> CertifiedRows(bool complete) const;
    void WriteRows(double largest, bool complete);
    double WithoutSecrets();
    double Claimed(NodeId node) const;
    std::string ClaimReason(NodeId node) const;
    void Append(const Release& release);
    void Write(const Release& release);
    bool IsAdaptive() const;
    Guarantee OfLedger(NodeId node) const;
    Guarantee Evaluate(NodeId node) const;
    std::vector<double> AsSent(const std::vector<bool>& mayLackReleases);
    void Follow(const NodeJob& job);
    void VoidAll(const std::string& reason);
    void ReportHalted();
    void ReportHalted(Round round, const std::vector<NodeId>& nodes);

    const LearningPlan& m_plan;               ///< plan of the run
    PrivacyBudget* m_guard;                   ///< stops nodes at their budget; nullptr: no budget
    ValidityMonitor& m_monitor;               ///< records which claims are valid
    TraceStore& m_store;                      ///< receives the rows
    LeakedSecrets m_leaked;                   ///< secrets that the adversary knows
    PrivacyLedger m_ledger;                   ///< releases of each node
    std::vector<Round> m_announced;           ///< by node: last announced round plus one
    std::vector<Round> m_recorded;            ///< by node: last round in the ledger plus one
    std::vector<double> m_claims;             ///< by node: sum of Claim::Spent() of its releases
    std::vector<double> m_claimedRows;        ///< largest claimed epsilon, by closed round
    std::optional<Round> m_voidFrom;          ///< first closed round with a mismatch
    std::map<NodeId, std::string> m_mismatch; ///< first difference from the plan, by node
    double m_inState{INFINITY};               ///< least ReleaseRecord::inState of the run
    double m_largestState{0.0};               ///< largest ReleaseRecord::largestState of the run
    std::vector<std::string> m_warnings;      ///< new warnings for the user, one line each
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_RECORDER_H
