// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_PRIVACY_RECORDER_H
#define DPDL_EXPERIMENT_PRIVACY_RECORDER_H

#include "dpdl/derive/run-guarantees.h"
#include "dpdl/trace/trace-store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Keeps the privacy ledger of a run, and all that voids its claims and certificates.
 *
 * WriteGuarantees() concludes from these facts, in Finish(). A killed run has no rows of
 * guarantees; resuming it writes them.
 */
class PrivacyRecorder
{
  public:
    /**
     * @param plan of the run
     * @param nodes number of nodes
     * @param budget stops nodes at their budget; nullptr: no limit
     * @param validity records which claims are still valid
     * @param store receives the rows
     * @param leaked secrets that are known. Releases of leaking nodes count with their separate
     *        noise; if the plan no longer hides any release, nothing is certified
     */
    PrivacyRecorder(const LearningPlan& plan,
                    std::size_t nodes,
                    PrivacyBudget* budget,
                    ValidityMonitor& validity,
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

    /// Records that a node announced a number computed from its data; its noisy release of @p round
    /// is to follow.
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
     * @return epsilon that no node exceeds, by the budget; empty without one
     */
    std::optional<double> CloseRound(Round round);

    /// New warnings for the user, one line each.
    std::vector<std::string> TakeWarnings()
    {
        return std::exchange(m_warnings, {});
    }

    /**
     * @brief Writes the guarantees of every node, of every round and of the run.
     * @param mayLackReleases see SentEpsilons()
     * @param complete false: the run was interrupted; rows within 5 % share a bound, or within two
     *        in a million for each round if that is more
     */
    void Finish(const std::vector<bool>& mayLackReleases, bool complete);

    /// Releases recorded so far, by node.
    const PrivacyLedger& Releases() const
    {
        return m_facts.ledger;
    }

  private:
    void Append(const Release& release);
    void Follow(const NodeJob& job);
    void VoidAll(const std::string& reason);
    void ReportHalted();
    void ReportHalted(Round round, const std::vector<NodeId>& nodes);

    PrivacyFacts m_facts;                ///< facts recorded so far
    TraceStore& m_store;                 ///< receives the rows
    std::vector<Round> m_announced;      ///< by node: last announced round plus one
    std::vector<Round> m_recorded;       ///< by node: last round in the ledger plus one
    std::vector<std::string> m_warnings; ///< new warnings for the user, one line each
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_RECORDER_H
