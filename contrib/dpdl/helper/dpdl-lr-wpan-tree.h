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
 * @brief Static routing of datagrams over several hops of sensors, along a tree with root node 0.
 *
 * IPv6 forwards datagrams by static routes. 6LoWPAN reassembles and fragments each datagram at
 * every hop ("route-over", RFC 6606). The tree is fixed during a run: datagrams to be forwarded by
 * a node without power are lost. Only DpdlDodag adapts the tree.
 */
class DpdlLrWpanTree
{
  public:
    /// No tree: all links have a single hop.
    DpdlLrWpanTree() = default;

    /**
     * @param parents for each node, the number of the next hop towards node 0; the entry of node 0
     *        is ignored
     */
    explicit DpdlLrWpanTree(std::vector<uint32_t> parents);

    /**
     * @brief Places nodes on straight lines from node 0 outwards, evenly distributed.
     * @param nodes nodes without a MobilityModel, at least two
     * @param hops nodes per line, from 1 to the number of nodes minus 1
     * @param distance distance between neighbours on a line, in metres
     * @return the tree that consists of these lines
     */
    static DpdlLrWpanTree Place(const NodeContainer& nodes, uint32_t hops, double distance);

    /**
     * @brief The shortest-path tree, in hops, between nodes in range of each other.
     * @param nodes nodes with a MobilityModel, at least two
     * @throws dpdl::UsageError if a node cannot be reached from node 0
     */
    static DpdlLrWpanTree Shortest(const NodeContainer& nodes);

    /// Largest number of hops from a node to node 0; 1 without a tree.
    double Depth() const;

    /// Number of hops from node number @p node to node 0. For node 0: mean of this number over all
    /// other nodes. Without a tree: 1.
    double HopsOf(uint32_t node) const;

    /**
     * @brief Checks that neighbours of the tree are in range of each other.
     * @param nodes nodes with a MobilityModel
     * @throws dpdl::UsageError if a distance exceeds the range of ns-3's LR-WPAN radio
     */
    void RequireReach(const NodeContainer& nodes) const;

    /// Adds the routes of the tree to all nodes.
    /// @param devices 6LoWPAN devices with IPv6 addresses, by node
    void AddRoutes(const NetDeviceContainer& devices) const;

    /// Makes the nodes of all devices IPv6 routers, which forward packets.
    /// @param devices devices with IPv6 addresses
    static void LetForward(const NetDeviceContainer& devices);

    /// True if this object has a tree; false if it was default-constructed.
    bool IsThere() const
    {
        return !m_parents.empty();
    }

  private:
    uint32_t DepthOf(uint32_t node) const;

    std::vector<uint32_t> m_parents; //!< number of each node's parent, by node; empty: no tree
};

/**
 * @ingroup dpdl
 * @brief Installs DpdlDodag as the routing protocol of sensors, with node 0 as the root.
 *
 * The LR-WPAN devices report to DpdlDodag which frames neighbours have acknowledged.
 * @param devices 6LoWPAN devices with IPv6 addresses, by node
 * @param radios LR-WPAN devices below @p devices, by node
 * @param stream first random stream; one per node is used
 */
void InstallDpdlDodag(const NetDeviceContainer& devices,
                      const NetDeviceContainer& radios,
                      int64_t stream);

} // namespace ns3

#endif // DPDL_LR_WPAN_TREE_H
