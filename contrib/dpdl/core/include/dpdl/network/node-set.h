// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_NODE_SET_H
#define DPDL_NETWORK_NODE_SET_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// A directed link.
struct LinkId
{
    NodeId source{0}; ///< who sends
    NodeId target{0}; ///< who receives
};

/// Some nodes of a network, or all of them whatever their number.
class NodeSet
{
  public:
    /// No node.
    NodeSet() = default;

    /// @param members in any order; what stands twice counts once
    explicit NodeSet(std::vector<NodeId> members);

    /// Every node.
    static NodeSet All();

    /// True if this is All().
    bool IsAll() const
    {
        return m_all;
    }

    /// True if it has no node.
    bool IsEmpty() const
    {
        return !m_all && m_members.empty();
    }

    /// True if a node is in it.
    bool Contains(NodeId node) const;

    /// The nodes that are in both.
    NodeSet Common(const NodeSet& other) const;

    /// In ascending order; empty if IsAll().
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
    bool m_all{false};             ///< true: every node
    std::vector<NodeId> m_members; ///< in ascending order
};

/// Links from some nodes to some nodes; never from a node to itself.
struct LinkSet
{
    NodeSet sources;      ///< who sends
    NodeSet targets;      ///< who receives
    bool bothWays{false}; ///< also the opposite links

    /// Whether the link from @p source to @p target, two different nodes, is one of them.
    bool Covers(NodeId source, NodeId target) const;

    /// True if a link is in both.
    bool Intersects(const LinkSet& other) const;
};

} // namespace dpdl

#endif // DPDL_NETWORK_NODE_SET_H
