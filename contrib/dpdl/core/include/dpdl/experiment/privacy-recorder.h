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
 * @brief Keeps the privacy ledger of a run, and the events that invalidate claimed or certified
 *        epsilons.
 *
 * Finish() computes the guarantees from these records and writes them. The trace of an interrupted
 * run without Finish() has no guarantees.
 */
class PrivacyRecorder
{
  public:
    /**
     * @param plan plan of the run; must outlive this object
     * @param nodes number of nodes
     * @param budget stops nodes at their privacy budget; must outlive this object. nullptr: no
     *        limit
     * @param validity determines the nodes whose claimed epsilon is void; must outlive this object
     * @param store receives the rows; must outlive this object
     * @param leaked nodes that leak their shared secrets. For their releases, the ledger records
     *        only the noise that the node shares with no other node. If LeakedSecrets::reason is
     *        not empty, no epsilon is certified
     */
    PrivacyRecorder(const LearningPlan& plan,
                    std::size_t nodes,
                    PrivacyBudget* budget,
                    ValidityMonitor& validity,
                    TraceStore& store,
                    LeakedSecrets leaked = {});

    /**
     * @brief Adds the releases of a node's local step to the ledger. A second call for the same
     *        node and round has no effect.
     *
     * If the releases differ from the plan, the claimed and the certified epsilon of the node
     * become infinite, and the trace states the difference as the reason.
     * @param job completed job of a local step, with an update
     */
    void Add(const NodeJob& job);

    /// Records that a node announced its sensitivity estimate (DPPS), which is computed from its
    /// data without noise. The node's noisy release of @p round is expected later.
    void Announce(NodeId node, Round round)
    {
        m_announced[node] = round + 1;
    }

    /// Records that the noisy release expected after Announce() will not follow. The announcement
    /// then counts as a release without noise. No effect without an announcement.
    void EndAnnounced(NodeId node);

    /// True if the certified epsilons assume that a trusted server sums the contributions of all
    /// nodes in every round.
    bool NeedsAllParts() const;

    /**
     * @brief Records that the trusted server's sum in a round lacks a node's contribution. The sum
     *        then has a smaller noise standard deviation than planned, so no epsilon is certified
     *        for any node. Requires NeedsAllParts().
     * @param detail explanation in one line, for the trace
     */
    void LosePart(const std::string& detail);

    /**
     * @brief Records the largest claimed epsilon after a round that every node has closed. Warns
     *        about nodes that the privacy budget has stopped.
     * @return upper bound on the epsilon that any node can spend in the whole run, by its privacy
     *         budget. Infinity if nothing is certified for a node; empty if the run has no budget
     */
    std::optional<double> CloseRound(Round round);

    /// New warnings for the user since the last call, one line each.
    std::vector<std::string> TakeWarnings()
    {
        return std::exchange(m_warnings, {});
    }

    /**
     * @brief Writes the guarantees of every node, of every round and of the run.
     * @param mayLackReleases by node: result of MayLackReleases(), which SentEpsilons() uses
     * @param complete false: the run was interrupted. To save time, consecutive rounds over which
     *        epsilon grows by a fraction of at most max(0.05, 2e-6 K) then share one bound, with K
     *        completed rounds
     */
    void Finish(const std::vector<bool>& mayLackReleases, bool complete);

    /// Ledger of the releases recorded so far, by node.
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

    PrivacyFacts m_facts; ///< records from which Finish() computes the guarantees
    TraceStore& m_store;  ///< receives the rows
    /// By node: index of the last announced round plus one; 0: none.
    std::vector<Round> m_announced;
    /// By node: index of the last round in the ledger plus one; 0: none.
    std::vector<Round> m_recorded;
    std::vector<std::string> m_warnings; ///< new warnings for the user, one line each
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_RECORDER_H
