// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LEDGER_H
#define DPDL_PRIVACY_LEDGER_H

#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/**
 * @brief Append-only record of all releases of each node, in the order of sending.
 *
 * The guarantee of a node's data depends only on this node's releases: messages of other nodes are
 * post-processing of releases that the ledger already has.
 *
 * Nodes with the same schedule share its entries, and a repeated entry is stored once. Memory grows
 * with the number of different releases, not with nodes times rounds.
 */
class PrivacyLedger
{
  public:
    /// @param nodes number of nodes
    explicit PrivacyLedger(std::size_t nodes);

    /**
     * @brief Appends a release to the list of its node.
     *
     * Two noisy releases of the same node, round and noise stream have the same noise, so their
     * difference has none. The second one gets the flag SEED_REUSE, and every accountant then
     * refuses a guarantee.
     * @return the recorded entry
     * @throws Error if the node does not exist
     */
    Release Append(const Release& release);

    /// All releases of @p node, in the order of sending; each call builds a new list.
    std::vector<Release> ForNode(NodeId node) const;

    /// Calls @p visit with each release of @p node, in the order of sending, without building a
    /// list.
    void ForEach(NodeId node, const std::function<void(const Release&)>& visit) const;

    /// Releases of a node that differ only in their rounds; the rounds are an arithmetic
    /// progression.
    struct Repeated
    {
        const Release& first; ///< earliest of these releases; valid only during the visit
        /// Difference of the rounds of successive releases; 0: all are in the same round, or there
        /// is only one release.
        std::int64_t roundStep;
        std::size_t count; ///< number of releases
    };

    /// Calls @p visit for each group of consecutive equal releases of a node, oldest first.
    void ForEachRepeated(NodeId node, const std::function<void(const Repeated&)>& visit) const;

    /// Tally of the releases of @p node, the input of accountants.
    ReleaseTally TallyOf(NodeId node) const;

    /// For each node: the lowest-numbered node that has the same releases in the same rounds,
    /// possibly the node itself.
    std::vector<NodeId> Alike() const;

    /// Number of nodes.
    std::size_t Nodes() const
    {
        return m_nodes.size();
    }

    /// Total number of releases of all nodes.
    std::size_t Size() const;

  private:
    /// Releases in arithmetic progression, both in their rounds and in their indices into m_kinds.
    struct Run
    {
        Round round;            ///< round of the first release, 0-based
        std::int64_t roundStep; ///< difference between successive rounds
        std::uint32_t kind;     ///< index of the first release in m_kinds
        std::int64_t kindStep;  ///< difference between successive indices
        std::size_t count;      ///< number of releases
    };

    /// Releases of one node.
    struct Node
    {
        std::vector<Run> runs; ///< releases of the node, oldest first
        /// Rounds in which a noise stream was used, by stream: ranges, as a map from their first to
        /// their last round.
        std::map<std::uint32_t, std::map<Round, Round>> used;
    };

    std::uint32_t KindOf(const Release& release);
    static bool IsFresh(Node& node, Round round, std::uint32_t stream);
    static void Extend(std::vector<Run>& runs, Round round, std::uint32_t kind);

    std::vector<Node> m_nodes; ///< releases, by node
    /// Releases that differ in more than node and round; stored with node 0 and round 0.
    std::vector<Release> m_kinds;
    /// Indices into m_kinds, by hash of the release.
    std::unordered_multimap<std::size_t, std::uint32_t> m_kindByHash;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LEDGER_H
