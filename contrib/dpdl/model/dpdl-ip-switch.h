// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_IP_SWITCH_H
#define DPDL_IP_SWITCH_H

#include "ns3/ipv6-routing-table-entry.h"
#include "ns3/node.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Takes the IP interfaces of nodes down, and brings them up with their previous state.
 *
 * In ns-3 an IPv6 interface that goes down loses its addresses, its neighbour cache and the static
 * routes through it. This class keeps the addresses and the permanent entries of the neighbour
 * cache. It restores the static routes through a gateway when the interface comes up. Loopback
 * stays up.
 */
class DpdlIpSwitch
{
  public:
    /// Takes the IP interfaces of a node down, or brings them up.
    /// @param node any node
    /// @param isUp true: the interfaces are up from now on; false: they are down
    void Switch(Ptr<Node> node, bool isUp);

  private:
    /// Static routes of a node, each with its metric.
    using Routes = std::vector<std::pair<Ipv6RoutingTableEntry, uint32_t>>;

    /// Static routes to restore, by node whose interfaces are down.
    std::map<Ptr<Node>, Routes> m_routes;
};

} // namespace ns3

#endif // DPDL_IP_SWITCH_H
