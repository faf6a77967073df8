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
 * @brief Takes the IP interfaces of nodes down, and brings them up as they were.
 *
 * An IPv6 interface that goes down forgets its addresses, the MAC addresses of its neighbours and
 * the static routes through it. Here it keeps its addresses and the neighbours that were entered
 * permanently, and has back the routes with a gateway when it is up. Loopback stays up.
 */
class DpdlIpSwitch
{
  public:
    /// @param node any @param isUp the state of its interfaces from now on
    void Switch(Ptr<Node> node, bool isUp);

  private:
    /// Static routes, and their metrics.
    using Routes = std::vector<std::pair<Ipv6RoutingTableEntry, uint32_t>>;

    std::map<Ptr<Node>, Routes> m_routes; //!< of nodes whose interfaces are down
};

} // namespace ns3

#endif // DPDL_IP_SWITCH_H
