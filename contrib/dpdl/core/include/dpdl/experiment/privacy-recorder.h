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
 * Finish() calls WriteGuarantees(), which derives the guarantees from these records. The trace of a
 * killed run has no rows of guarantees until the run is resumed and finished.
 */
class PrivacyRecorder
{
  public:
    /**
     * @param plan of the run
     * @param nodes number of nodes
     * @param budget stops nodes at their budget; nullptr: no limit
     * @param validity records for which nodes the claimed epsilon is void
     * @param store receives the rows
     * @param leaked nodes that leak their shared secrets. The ledger counts for their releases only
     *        the noise that the node draws alone. If the plan no longer hides any release, no
     *        epsilon is certified
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
     * If the releases differ from the plan, the claimed and the certified epsilon of the node
     * become infinite, and the trace states the difference as the reason.
     * @param job completed local step with an update
     */
    void Add(const NodeJob& job);

    /// Records that a node announced a number computed from its data. Its noisy release of @p round
    /// is expected later.
    void Announce(NodeId node, Round round)
    {
        m_announced[node] = round + 1;
    }

    /// Records that the noisy release after Announce() will not follow. The announcement, if there
    /// is one, then counts as a release without noise.
    void EndAnnounced(NodeId node);

    /// True if the certified epsilons assume that a trusted server sums the contributions of all
    /// nodes.
    bool NeedsAllParts() const;

    /**
     * @brief Records that the trusted server's sum of a round lacks a node's contribution. The sum
     *        has less noise than certified, so no epsilon is certified for any node. Requires
     *        NeedsAllParts().
     * @param detail one line of explanation
     */
    void LosePart(const std::string& detail);

    /**
     * @brief Records the claimed epsilon of a round that every node has closed, and reports stopped
     *        nodes.
     * @return upper bound on the nodes' epsilons by the privacy budget; infinity once releases have
     *        differed from the plan; empty if the run has no budget
     */
    std::optional<double> CloseRound(Round round);

    /// New warnings for the user since the last call, one line each.
    std::vector<std::string> TakeWarnings()
    {
        return std::exchange(m_warnings, {});
    }

    /**
     * @brief Writes the guarantees of every node, of every round and of the run.
     * @param mayLackReleases result of MayLackReleases(), for SentEpsilons()
     * @param complete false: the run was interrupted. To save time, one bound then covers
     *        consecutive rounds whose epsilons differ by up to 5 %, or by up to 2e-6 times the
     *        number of rounds if that is more
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
    std::vector<Round> m_announced;      ///< by node: last announced round plus one; 0: none
    std::vector<Round> m_recorded;       ///< by node: last round in the ledger plus one; 0: none
    std::vector<std::string> m_warnings; ///< new warnings for the user, one line each
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_PRIVACY_RECORDER_H
