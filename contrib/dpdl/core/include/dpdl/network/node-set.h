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

/// A directed link.
struct LinkId
{
    NodeId source{0}; ///< sending node
    NodeId target{0}; ///< receiving node
};

/// A set of nodes of a network; All() is independent of their number.
class NodeSet
{
  public:
    /// The empty set.
    NodeSet() = default;

    /// @param members in any order; duplicates count once
    explicit NodeSet(std::vector<NodeId> members);

    /// Every node.
    static NodeSet All();

    /// True if this is All().
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

    /// The nodes that are in this set and in @p other.
    NodeSet Common(const NodeSet& other) const;

    /// The nodes in ascending order; empty if IsAll().
    const std::vector<NodeId>& Members() const
    {
        return m_members;
    }

    /**
     * @brief Calls @p action with every node, in ascending order.
     * @param nodes number of nodes of the network
     * @param action takes a NodeId
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
    std::vector<NodeId> m_members; ///< nodes of the set, in ascending order
};

/// All links from a set of nodes to another, except from a node to itself.
struct LinkSet
{
    NodeSet sources;      ///< sending nodes
    NodeSet targets;      ///< receiving nodes
    bool bothWays{false}; ///< true: the opposite links are also in the set

    /// True if the link from @p source to @p target, two different nodes, is in this set.
    bool Covers(NodeId source, NodeId target) const;

    /// True if some link is in this set and in @p other.
    bool Intersects(const LinkSet& other) const;
};

} // namespace dpdl

#endif // DPDL_NETWORK_NODE_SET_H
