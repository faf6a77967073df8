// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LR_WPAN_TREE_H
#define DPDL_LR_WPAN_TREE_H

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The way of datagrams over several hops of sensors, along a tree with node 0 as its root.
 *
 * IPv6 forwards datagrams by static routes; 6LoWPAN puts a datagram together and cuts it again at
 * every hop ("route-over", RFC 6606). The tree does not change during a run: what a node without
 * power would have forwarded is lost. DpdlDodag is a tree that does.
 */
class DpdlLrWpanTree
{
  public:
    /// No tree: every node hears every other, or does not reach it.
    DpdlLrWpanTree() = default;

    /**
     * @param parents by node: the next one on the way to node 0; that of node 0 does not count
     */
    explicit DpdlLrWpanTree(std::vector<uint32_t> parents);

    /**
     * @brief Puts nodes on straight lines from node 0 outwards, as many on each line.
     * @param nodes without mobility, at least two
     * @param hops nodes on a line, from 1 up to one less than there are nodes
     * @param distance between neighbours on a line, in metres
     * @return the tree of these lines
     */
    static DpdlLrWpanTree Place(const NodeContainer& nodes, uint32_t hops, double distance);

    /**
     * @brief The tree of fewest hops between nodes that reach each other.
     * @param nodes with mobility, at least two
     * @throws dpdl::UsageError if a node is out of reach of all others
     */
    static DpdlLrWpanTree Shortest(const NodeContainer& nodes);

    /// Hops of the node that is farthest from node 0; 1 if there is no tree.
    double Depth() const;

    /// Number of transmissions of a node's datagram on its way to node 0; for node 0 the mean over
    /// its ways to all others. 1 if there is no tree.
    double HopsOf(uint32_t node) const;

    /**
     * @brief Makes sure that neighbours of the tree reach each other.
     * @param nodes with mobility
     * @throws dpdl::UsageError if they are farther away than an LR-WPAN radio of ns-3 reaches
     */
    void RequireReach(const NodeContainer& nodes) const;

    /// Gives nodes the routes of the tree. @param devices with IPv6 addresses, by node
    void AddRoutes(const NetDeviceContainer& devices) const;

    /// Lets nodes forward what is for others. @param devices with IPv6 addresses
    static void LetForward(const NetDeviceContainer& devices);

    /// Whether there is a tree.
    bool IsThere() const
    {
        return !m_parents.empty();
    }

  private:
    uint32_t DepthOf(uint32_t node) const;

    std::vector<uint32_t> m_parents; //!< see DpdlLrWpanTree(); empty: no tree
};

/**
 * @ingroup dpdl
 * @brief Makes DpdlDodag the routing protocol of sensors, with node 0 as the root.
 *
 * Their LR-WPAN devices tell it which frames neighbours have acknowledged.
 * @param devices of 6LoWPAN, with IPv6 addresses, by node
 * @param radios below them, by node
 * @param stream first stream index of random numbers, of one a node
 */
void InstallDpdlDodag(const NetDeviceContainer& devices,
                      const NetDeviceContainer& radios,
                      int64_t stream);

} // namespace ns3

#endif // DPDL_LR_WPAN_TREE_H
