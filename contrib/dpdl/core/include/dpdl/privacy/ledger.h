// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LEDGER_H
#define DPDL_PRIVACY_LEDGER_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/**
 * @brief Everything that left each node, in the order in which it left. Entries are never changed
 * or removed.
 *
 * A record that lives on one node is protected by that node's list alone: what other nodes send
 * later is computed from messages that are already accounted for.
 *
 * Nodes that follow the same schedule share its entries, and an entry that repeats is kept once:
 * memory grows with the number of different releases, not with that of nodes times rounds.
 */
class PrivacyLedger
{
  public:
    /// @param nodes number of nodes
    explicit PrivacyLedger(std::size_t nodes);

    /**
     * @brief Appends a release to the list of its node.
     *
     * Two noisy releases of the same node and round from the same noise stream carry the same
     * noise; their difference is the bare data. The second one is recorded with SEED_REUSE, and
     * every accountant then refuses a guarantee.
     * @return the entry as recorded
     * @throws Error if there is no such node
     */
    Release Append(const Release& release);

    /// All releases of a node, oldest first; made anew by each call.
    std::vector<Release> ForNode(NodeId node) const;

    /// Calls @p visit with each of them, without a list.
    void ForEach(NodeId node, const std::function<void(const Release&)>& visit) const;

    /// Tally of a node's releases, for accountants.
    ReleaseTally TallyOf(NodeId node) const;

    /// For each node the first one that has released the same things in the same rounds.
    std::vector<NodeId> Alike() const;

    /// Number of nodes.
    std::size_t Nodes() const
    {
        return m_nodes.size();
    }

    /// Number of releases of all nodes.
    std::size_t Size() const;

  private:
    /// Releases whose rounds, and whose places in m_kinds, have equal distances.
    struct Run
    {
        Round round;            ///< of the first
        std::int64_t roundStep; ///< from one to the next
        std::uint32_t kind;     ///< of the first
        std::int64_t kindStep;  ///< from one to the next
        std::size_t count;      ///< of releases
    };

    /// What one node has released.
    struct Node
    {
        std::vector<Run> runs; ///< oldest first
        /// Rounds in which a noise stream was used, by its number: first to last, without gaps.
        std::map<std::uint32_t, std::map<Round, Round>> used;
    };

    std::uint32_t KindOf(const Release& release);
    static bool IsFresh(Node& node, Round round, std::uint32_t stream);
    static void Extend(std::vector<Run>& runs, Round round, std::uint32_t kind);

    std::vector<Node> m_nodes;                                        ///< by number
    std::vector<Release> m_kinds;                                     ///< of node 0, round 0
    std::unordered_multimap<std::size_t, std::uint32_t> m_kindByHash; ///< places in m_kinds
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LEDGER_H
