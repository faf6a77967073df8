// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LTE_PARTS_H
#define DPDL_LTE_PARTS_H

#include "ns3/error-model.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/lte-enb-net-device.h"
#include "ns3/lte-enb-phy.h"

#include <map>

namespace ns3
{

/**
 * @ingroup dpdl
 * @brief Static routing with a default route through every interface.
 *
 * ns-3's static routing removes the default route when the interface goes down. The routing that
 * this helper installs adds it again when the interface comes up. Use it for nodes with one device.
 */
class DpdlDefaultRoutingHelper : public Ipv4RoutingHelper
{
  public:
    DpdlDefaultRoutingHelper* Copy() const override;
    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> node) const override;
};

/**
 * @ingroup dpdl
 * @brief Drops packets for users whose IP interfaces are down, as the core network does for
 *        detached users. Install it on the packet gateway's device that receives from the server.
 */
class DpdlDetachedLossModel : public ErrorModel
{
  public:
    /// Adds a user.
    /// @param user IP stack with an address on interface 1; packets are dropped while this
    /// interface is down
    void Add(Ptr<Ipv4> user);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;

    void DoReset() override
    {
    }

    std::map<uint32_t, Ptr<Ipv4>> m_users; //!< IP stacks of the users, by IPv4 address
};

/**
 * @ingroup dpdl
 * @brief Switches a base station off and on, both its transmitter and its link to the core network.
 */
class DpdlStationSwitch
{
  public:
    /// @param station base station that is connected to the core network, and not yet to other
    /// stations
    explicit DpdlStationSwitch(Ptr<LteEnbNetDevice> station);

    /// Switches the station.
    /// @param isOn true: the station is on from now on; false: it is off
    void Set(bool isOn) const;

  private:
    Ptr<LteEnbPhy> m_phy;   //!< physical layer of the station
    double m_power;         //!< transmission power when on, in dBm
    Ptr<ErrorModel> m_down; //!< while the station is off: drops packets from the core network
    Ptr<ErrorModel> m_up;   //!< while the station is off: drops packets to the core network
};

} // namespace ns3

#endif // DPDL_LTE_PARTS_H
