// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_NODE_SET_H
#define DPDL_NETWORK_NODE_SET_H

#include "dpdl/base/types.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// A directed link, as a pair of nodes.
struct LinkId
{
    NodeId source{0}; ///< sending node
    NodeId target{0}; ///< receiving node
};

/// A set of nodes. The set All() contains every node of a network of any size.
class NodeSet
{
  public:
    /// The empty set.
    NodeSet() = default;

    /// @param members nodes in any order; duplicates count once
    explicit NodeSet(std::vector<NodeId> members);

    /// The set of all nodes.
    static NodeSet All();

    /// True if the set is All().
    bool IsAll() const
    {
        return m_all;
    }

    /// True if the set has no node.
    bool IsEmpty() const
    {
        return !m_all && m_members.empty();
    }

    /// True if the set contains a node.
    bool Contains(NodeId node) const
    {
        return m_all || std::binary_search(m_members.begin(), m_members.end(), node);
    }

    /// Intersection of this set and @p other.
    NodeSet Common(const NodeSet& other) const;

    /// Nodes of the set in ascending order; empty if IsAll().
    const std::vector<NodeId>& Members() const
    {
        return m_members;
    }

    /**
     * @brief Calls @p action with every node of the set, in ascending order.
     * @param nodes number of nodes of the network
     * @param action callback with a NodeId
     */
    template <typename Action>
    void ForEach(std::size_t nodes, Action action) const
    {
        if (!m_all)
        {
            for (const NodeId node : m_members)
            {
                action(node);
            }
            return;
        }
        for (NodeId node = 0; node < nodes; ++node)
        {
            action(node);
        }
    }

  private:
    bool m_all{false};             ///< true: the set has every node
    std::vector<NodeId> m_members; ///< nodes of the set, ascending; empty if m_all
};

/// All links from one set of nodes to another, except from a node to itself.
struct LinkSet
{
    NodeSet sources;      ///< sending nodes
    NodeSet targets;      ///< receiving nodes
    bool bothWays{false}; ///< true: the links from `targets` to `sources` are also in the set

    /// True if the set contains the link from @p source to @p target. The nodes must differ.
    bool Covers(NodeId source, NodeId target) const;

    /// True if at least one link is in both sets.
    bool Intersects(const LinkSet& other) const;
};

} // namespace dpdl

#endif // DPDL_NETWORK_NODE_SET_H
