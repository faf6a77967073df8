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
#include <vector>

namespace dpdl
{

/**
 * @brief Append-only record of all releases of each node, in the order of sending.
 *
 * The guarantee of a node's data depends only on the releases of this node. Messages of other nodes
 * are post-processing of recorded releases.
 *
 * Nodes with equal schedules share entries, and equal consecutive entries are stored once. Memory
 * is proportional to the number of different releases.
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
     * difference has none. The second release gets the flag SEED_REUSE, which makes every
     * accountant refuse a guarantee.
     * @return the recorded release, with its flags
     * @throws Error if the node does not exist
     */
    Release Append(const Release& release);

    /// All releases of @p node (below Nodes()), in the order of sending. Each call builds a new
    /// list.
    std::vector<Release> ForNode(NodeId node) const;

    /// Calls @p visit with each release of @p node, in the order of sending, without building a
    /// list.
    void ForEach(NodeId node, const std::function<void(const Release&)>& visit) const;

    /// Group of a node's consecutive releases that differ only in their rounds. The rounds form an
    /// arithmetic progression.
    struct Repeated
    {
        const Release& first; ///< earliest release of the group; valid only during the visit
        /// Difference between the rounds of consecutive releases; 0: all releases are in one round,
        /// or there is only one.
        std::int64_t roundStep;
        std::size_t count; ///< number of releases in the group
    };

    /// Calls @p visit with each group of consecutive equal releases of a node, oldest first.
    void ForEachRepeated(NodeId node, const std::function<void(const Repeated&)>& visit) const;

    /// Step counts of all releases of @p node (below Nodes()), the input of accountants.
    ReleaseTally TallyOf(NodeId node) const;

    /// [nodes] element i: lowest-numbered node with the same releases in the same rounds as node i;
    /// may be i itself.
    std::vector<NodeId> Alike() const;

    /// Number of nodes.
    std::size_t Nodes() const
    {
        return m_nodes.size();
    }

    /// Number of releases of all nodes together.
    std::size_t Size() const;

  private:
    /// Group of releases. Their rounds and their indices into m_kinds form arithmetic progressions.
    struct Run
    {
        Round round;            ///< round of the first release, 0-based
        std::int64_t roundStep; ///< difference between the rounds of consecutive releases
        std::uint32_t kind;     ///< index of the first release in m_kinds
        std::int64_t kindStep;  ///< difference between the indices of consecutive releases
        std::size_t count;      ///< number of releases
    };

    /// Releases of one node.
    struct Node
    {
        std::vector<Run> runs; ///< releases of the node in groups, oldest first
        /// Rounds in which a noise stream was used; key: noise stream. Ranges of rounds are stored
        /// as pairs of first and last round.
        std::map<std::uint32_t, std::map<Round, Round>> used;
    };

    std::uint32_t KindOf(const Release& release);
    static bool IsFresh(Node& node, Round round, std::uint32_t stream);
    static void Extend(std::vector<Run>& runs, Round round, std::uint32_t kind);

    std::vector<Node> m_nodes; ///< releases, by node
    /// Distinct releases, compared without node and round; stored with node 0 and round 0.
    std::vector<Release> m_kinds;
    /// Indices into m_kinds; key: hash of the release without node and round.
    std::unordered_multimap<std::size_t, std::uint32_t> m_kindByHash;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LEDGER_H
