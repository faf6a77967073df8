// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-vehicular-network.h"

#include "dpdl-streams.h"

#include "ns3/boolean.h"
#include "ns3/box.h"
#include "ns3/building.h"
#include "ns3/double.h"
#include "ns3/dpdl-cutoff-loss-model.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/object-factory.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/three-gpp-v2v-propagation-loss-model.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-helper.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"
#include "ns3/yans-wifi-helper.h"

#include <cmath>

// Builds the channel (path loss, shadowing, fading, cut-off), the 802.11p devices and static ARP
// entries, and connects the frame counter to the radios.

namespace ns3
{

namespace
{

const std::string RATE = "OfdmRate6MbpsBW10MHz";
constexpr uint16_t MTU = 1500;

/// Thermal noise of 10 MHz at 290 K with a noise figure of 7 dB, in dBm.
constexpr double NOISE_FLOOR = -97.0;

/// Centre frequency of channel 172, in Hz.
constexpr double CARRIER = 5.86e9;

/// Period of line-of-sight tests in milliseconds. In this time a vehicle at 50 km/h moves 1.4 m.
constexpr int64_t LOOK_MILLISECONDS = 100;

/// Size in bytes that every data frame exceeds. Frames up to this size are acknowledgements, which
/// the frame counter does not count.
constexpr uint32_t SHORTEST_DATA_FRAME = 64;

Ptr<PropagationLossModel>
MakeOpenLoss()
{
    const auto mean =
        CreateObjectWithAttributes<LogDistancePropagationLossModel>("Exponent",
                                                                    DoubleValue(2.7),
                                                                    "ReferenceLoss",
                                                                    DoubleValue(47.9));
    const auto cutoff = CreateObject<DpdlCutoffLossModel>();
    cutoff->SetFading(CreateObject<NakagamiPropagationLossModel>());
    mean->SetNext(cutoff);
    return mean;
}

Ptr<PropagationLossModel>
MakeCityLoss(Ptr<ChannelConditionModel> sight)
{
    const auto mean = CreateObject<ThreeGppV2vUrbanPropagationLossModel>();
    mean->SetAttribute("Frequency", DoubleValue(CARRIER));
    mean->SetChannelConditionModel(sight);
    const auto cutoff = CreateObject<DpdlCutoffLossModel>();
    cutoff->SetFading(CreateObjectWithAttributes<NakagamiPropagationLossModel>("Distance1",
                                                                               DoubleValue(50.0),
                                                                               "Distance2",
                                                                               DoubleValue(150.0),
                                                                               "m0",
                                                                               DoubleValue(3.0),
                                                                               "m1",
                                                                               DoubleValue(1.5),
                                                                               "m2",
                                                                               DoubleValue(1.0)));
    mean->SetNext(cutoff);
    return mean;
}

/// Adds buildings to ns-3's BuildingList, which keeps them until Simulator::Destroy().
void
Build(const std::vector<::dpdl::Building>& buildings)
{
    for (const ::dpdl::Building& box : buildings)
    {
        CreateObject<Building>()->SetBoundaries(
            Box(box.xMin, box.xMax, box.yMin, box.yMax, 0.0, box.height));
    }
}

Ptr<WifiPhy>
PhyOf(Ptr<NetDevice> device)
{
    return DynamicCast<WifiNetDevice>(device)->GetPhy();
}

/// Switches a radio off after its current transmission: ns-3 3.48 crashes if a transmission is
/// interrupted.
void
SwitchOff(Ptr<WifiPhy> phy)
{
    if (phy->IsStateTx())
    {
        Simulator::Schedule(phy->GetDelayUntilIdle(), &SwitchOff, phy);
        return;
    }
    phy->SetOffMode();
}

} // namespace

Time
DpdlVehicularNetwork::AirtimeOf(uint32_t bytes)
{
    const uint32_t symbols = (16 + 8 * bytes + 6 + 47) / 48;
    return MicroSeconds(40 + 8 * static_cast<int64_t>(symbols));
}

NetDeviceContainer
DpdlVehicularNetwork::Install(const NodeContainer& nodes)
{
    Build(m_buildings);
    m_sight = nullptr;
    if (!m_buildings.empty())
    {
        m_sight = CreateObjectWithAttributes<DpdlBuildingConditionModel>(
            "UpdatePeriod",
            TimeValue(MilliSeconds(LOOK_MILLISECONDS)));
    }
    m_devices = InstallRadios(nodes);
    InstallStacks(nodes);
    CountFrames(nodes);
    return m_devices;
}

NetDeviceContainer
DpdlVehicularNetwork::InstallRadios(const NodeContainer& nodes) const
{
    const auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    channel->SetPropagationLossModel(m_sight ? MakeCityLoss(m_sight) : MakeOpenLoss());
    YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    phy.Set("ChannelSettings", StringValue("{172, 10, BAND_5GHZ, 0}"));
    phy.Set("TxPowerStart", DoubleValue(m_txPower));
    phy.Set("TxPowerEnd", DoubleValue(m_txPower));
    // The default threshold of preamble detection, -82 dBm, is for 20 MHz.
    phy.SetPreambleDetectionModel("ns3::ThresholdPreambleDetectionModel",
                                  "MinimumRssi",
                                  DoubleValue(NOISE_FLOOR));
    // Ignore signals below the thermal noise: they cannot be received, and tracking their
    // interference takes a third of the simulation's time. ns-3 expects the sensitivity for 20 MHz,
    // which is 3 dB higher.
    phy.Set("RxSensitivity", DoubleValue(NOISE_FLOOR + 3.0));
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac", "QosSupported", BooleanValue(false));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211p);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(RATE),
                                 "ControlMode",
                                 StringValue(RATE),
                                 "NonUnicastMode",
                                 StringValue(RATE));
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    int64_t stream = DpdlStreams::VEHICULAR;
    stream += channel->AssignStreams(stream);
    stream += m_sight ? m_sight->AssignStreams(stream) : 0;
    wifi.AssignStreams(devices, stream);
    return devices;
}

void
DpdlVehicularNetwork::InstallStacks(const NodeContainer& nodes) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    stack.AssignStreams(nodes, DpdlStreams::VEHICULAR_STACKS);
    const Ipv4InterfaceContainer interfaces =
        Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(m_devices);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        m_devices.Get(i)->SetMtu(MTU);
    }
    NeighborCacheHelper().PopulateNeighborCache(interfaces);
}

void
DpdlVehicularNetwork::CountFrames(const NodeContainer& nodes) const
{
    const auto counter = CreateObject<DpdlFrameCounter>();
    counter->SetNodes(nodes);
    counter->SetCondition(m_sight);
    nodes.Get(0)->AggregateObject(counter);
    const auto bytes = CreateObject<DpdlAirBytes>();
    nodes.Get(0)->AggregateObject(bytes);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const Ptr<WifiPhy> phy = PhyOf(m_devices.Get(i));
        phy->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>, double>(
                [counter, bytes, i](Ptr<const Packet> packet, double) {
                    const uint32_t size = packet->GetSize();
                    const bool isCounted = size > SHORTEST_DATA_FRAME;
                    counter->Send(i, packet->GetUid(), AirtimeOf(size), isCounted);
                    bytes->byNodes += size;
                }));
        phy->TraceConnectWithoutContext(
            "PhyRxEnd",
            Callback<void, Ptr<const Packet>>(
                [counter, i](Ptr<const Packet> packet) { counter->Receive(i, packet->GetUid()); }));
    }
}

void
DpdlVehicularNetwork::FollowPresence(const std::vector<::dpdl::Presence>& presence) const
{
    for (uint32_t i = 0; i < presence.size(); ++i)
    {
        const Ptr<WifiPhy> phy = PhyOf(m_devices.Get(i));
        if (presence[i].start > 0.0)
        {
            Simulator::Schedule(Time(0), &SwitchOff, phy);
            Simulator::Schedule(Seconds(presence[i].start), &WifiPhy::ResumeFromOff, phy);
        }
        if (std::isfinite(presence[i].stop))
        {
            Simulator::Schedule(Seconds(presence[i].stop), &SwitchOff, phy);
        }
    }
}

} // namespace ns3
