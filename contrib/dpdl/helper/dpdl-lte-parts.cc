// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lte-parts.h"

#include "ns3/ipv4-static-routing.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"

#include <array>

namespace ns3
{

namespace
{

/// Transmission power of a station that is off, in dBm: LteEnbPhy cannot be switched off.
constexpr double SILENCE = -60.0;

/// Static routing with a default route through each interface, which it adds when the interface
/// comes up.
class DefaultRouting : public Ipv4StaticRouting
{
  public:
    void NotifyInterfaceUp(uint32_t interface) override
    {
        Ipv4StaticRouting::NotifyInterfaceUp(interface);
        if (interface > 0)
        {
            AddNetworkRouteTo(Ipv4Address::GetZero(), Ipv4Mask::GetZero(), interface);
        }
    }
};

/// The station's link to the core network, which is its first point-to-point device.
Ptr<PointToPointNetDevice>
BackhaulOf(Ptr<Node> station)
{
    Ptr<PointToPointNetDevice> found;
    for (uint32_t i = 0; !found && i < station->GetNDevices(); ++i)
    {
        found = DynamicCast<PointToPointNetDevice>(station->GetDevice(i));
    }
    return found;
}

/// Adds an error model that drops all packets that a device receives. It is disabled at first.
Ptr<ErrorModel>
AddBreaker(Ptr<NetDevice> device)
{
    const auto breaker = CreateObject<RateErrorModel>();
    breaker->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    breaker->SetRate(1.0);
    breaker->Disable();
    device->SetAttribute("ReceiveErrorModel", PointerValue(breaker));
    return breaker;
}

} // namespace

DpdlDefaultRoutingHelper*
DpdlDefaultRoutingHelper::Copy() const
{
    return new DpdlDefaultRoutingHelper(*this);
}

Ptr<Ipv4RoutingProtocol>
DpdlDefaultRoutingHelper::Create(Ptr<Node>) const
{
    return CreateObject<DefaultRouting>();
}

void
DpdlDetachedLossModel::Add(Ptr<Ipv4> user)
{
    m_users[user->GetAddress(1, 0).GetLocal().Get()] = user;
}

bool
DpdlDetachedLossModel::DoCorrupt(Ptr<Packet> packet)
{
    constexpr uint32_t TARGET = 2 + 16; // offset of the IPv4 destination address in bytes: the PPP
                                        // header, then 16 bytes of the IPv4 header
    std::array<uint8_t, TARGET + 4> bytes{};
    packet->CopyData(bytes.data(), bytes.size());
    const auto found = m_users.find(Ipv4Address::Deserialize(bytes.data() + TARGET).Get());
    return found != m_users.end() && !found->second->IsUp(1);
}

DpdlStationSwitch::DpdlStationSwitch(Ptr<LteEnbNetDevice> station)
    : m_phy(station->GetPhy()),
      m_power(m_phy->GetTxPower())
{
    const Ptr<PointToPointNetDevice> here = BackhaulOf(station->GetNode());
    const Ptr<Channel> channel = here->GetChannel();
    m_down = AddBreaker(here);
    m_up = AddBreaker(channel->GetDevice(channel->GetDevice(0) == here ? 1 : 0));
}

void
DpdlStationSwitch::Set(bool isOn) const
{
    m_phy->SetTxPower(isOn ? m_power : SILENCE);
    for (const Ptr<ErrorModel>& breaker : {m_down, m_up})
    {
        isOn ? breaker->Disable() : breaker->Enable();
    }
}

} // namespace ns3
