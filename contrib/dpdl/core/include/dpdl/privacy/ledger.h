// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LEDGER_H
#define DPDL_PRIVACY_LEDGER_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

namespace dpdl
{

/**
 * @brief Everything that left each node, in the order in which it left. Entries are never changed
 * or removed.
 *
 * A record that lives on one node is protected by that node's list alone: what other nodes send
 * later is computed from messages that are already accounted for.
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
    const Release& Append(const Release& release);

    /// All releases of a node, oldest first.
    const std::vector<Release>& ForNode(NodeId node) const;

    /// Number of nodes.
    std::size_t Nodes() const
    {
        return m_releases.size();
    }

    /// Number of releases of all nodes.
    std::size_t Size() const;

  private:
    std::vector<std::vector<Release>> m_releases;                 ///< per node
    std::set<std::tuple<NodeId, Round, std::uint32_t>> m_streams; ///< noise that has been used
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LEDGER_H
