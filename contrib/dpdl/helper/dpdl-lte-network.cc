// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lte-network.h"

#include "dpdl-lte-parts.h"
#include "dpdl-node-state.h"
#include "dpdl-streams.h"
#include "dpdl/base/errors.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/dpdl-drop-watch.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/epc-ue-nas.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/lte-enb-net-device.h"
#include "ns3/lte-enb-rrc.h"
#include "ns3/lte-helper.h"
#include "ns3/lte-ue-net-device.h"
#include "ns3/lte-ue-phy.h"
#include "ns3/point-to-point-epc-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

// Sets up ns-3's LTE and EPC helpers with fixed random streams, attaches the users, and schedules
// the outages of stations.

namespace ns3
{

namespace
{

constexpr double STATION_HEIGHT = 10.0;
constexpr uint16_t LTE_MTU = 1500;

/// Path loss exponent, and path loss at 1 m in dB: 128.1 dB at 1 km and 37.6 dB per decade.
constexpr double LTE_EXPONENT = 3.76;
constexpr double LTE_REFERENCE_LOSS = 128.1 - 3.0 * 10.0 * LTE_EXPONENT;

template <typename Device>
Ptr<Device>
DeviceAt(const NetDeviceContainer& devices, uint32_t index)
{
    return DynamicCast<Device>(devices.Get(index));
}

Ptr<LteHelper>
MakeLte(Ptr<EpcHelper> core, uint16_t blocks, bool isHandingOver)
{
    const auto lte = CreateObject<LteHelper>();
    lte->SetEpcHelper(core);
    lte->SetPathlossModelType(LogDistancePropagationLossModel::GetTypeId());
    lte->SetPathlossModelAttribute("Exponent", DoubleValue(LTE_EXPONENT));
    lte->SetPathlossModelAttribute("ReferenceLoss", DoubleValue(LTE_REFERENCE_LOSS));
    lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(blocks));
    lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(blocks));
    lte->SetHandoverAlgorithmType(isHandingOver ? "ns3::A3RsrpHandoverAlgorithm"
                                                : "ns3::NoOpHandoverAlgorithm");
    return lte;
}

/// Smallest period of sounding reference signals, in ms, that exceeds the number of users and is in
/// 3GPP TS 36.213.
uint32_t
SoundingPeriod(uint32_t users)
{
    constexpr std::array<uint32_t, 8> PERIODS{2, 5, 10, 20, 40, 80, 160, 320};
    return *std::upper_bound(PERIODS.begin(), PERIODS.end() - 1, users);
}

/// Connects the server to the packet gateway. @return the gateway's device
Ptr<NetDevice>
InstallServer(Ptr<Node> server, Ptr<Node> gateway)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
    link.SetDeviceAttribute("Mtu", UintegerValue(LTE_MTU));
    link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(10)));
    const NetDeviceContainer ends = link.Install(gateway, server);
    Ipv4AddressHelper("1.0.0.0", "255.0.0.0").Assign(ends);
    return ends.Get(0);
}

void
CountBytes(Ptr<Node> server, const NetDeviceContainer& stations, const NetDeviceContainer& users)
{
    const auto bytes = CreateObject<DpdlAirBytes>();
    server->AggregateObject(bytes);
    for (uint32_t i = 0; i < users.GetN(); ++i)
    {
        DeviceAt<LteUeNetDevice>(users, i)->GetPhy()->TraceConnectWithoutContext(
            "UlPhyTransmission",
            Callback<void, PhyTransmissionStatParameters>(
                [bytes](PhyTransmissionStatParameters block) { bytes->byNodes += block.m_size; }));
    }
    for (uint32_t i = 0; i < stations.GetN(); ++i)
    {
        DeviceAt<LteEnbNetDevice>(stations, i)
            ->GetPhy()
            ->TraceConnectWithoutContext("DlPhyTransmission",
                                         Callback<void, PhyTransmissionStatParameters>(
                                             [bytes](PhyTransmissionStatParameters block) {
                                                 bytes->byStations += block.m_size;
                                             }));
    }
}

} // namespace

void
DpdlLteNetwork::SetDefaults()
{
    Config::SetDefault("ns3::LteHelper::UseIdealRrc", BooleanValue(true));
    Config::SetDefault("ns3::LteAmc::AmcModel", StringValue("PiroEW2010"));
    Config::SetDefault("ns3::LteSpectrumPhy::CtrlErrorModelEnabled", BooleanValue(false));
    // A user out of range stays attached, instead of searching for a station indefinitely.
    Config::SetDefault("ns3::LteUePhy::EnableRlfDetection", BooleanValue(false));
    Config::SetDefault("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue(4U << 20));
}

void
DpdlLteNetwork::PlaceStations(const Vector& low, const Vector& high, uint32_t stations)
{
    using Share = std::array<double, 2>;
    DPDL_REFUSE_IF(stations != 1 && stations != 3,
                   "number of stations",
                   std::to_string(stations),
                   "1 or 3");
    const auto shares = stations == 1 ? std::vector<Share>{{0.5, 0.5}}
                                      : std::vector<Share>{{0.25, 0.25}, {0.75, 0.25}, {0.5, 0.75}};
    m_places.clear();
    for (const Share& share : shares)
    {
        m_places.emplace_back(low.x + share[0] * (high.x - low.x),
                              low.y + share[1] * (high.y - low.y),
                              STATION_HEIGHT);
    }
}

void
DpdlLteNetwork::SetTxPower(double station, double user)
{
    m_stationPower = RequireDpdlPower(station, MOST_DPDL_STATION_POWER);
    m_userPower = RequireDpdlPower(user, MOST_DPDL_POWER);
}

void
DpdlLteNetwork::Follow(const std::vector<::dpdl::FailureEvent>& events)
{
    for (const ::dpdl::FailureEvent& event : events)
    {
        for (uint32_t i = 0; event.kind == ::dpdl::FailureKind::REGION && i < m_places.size(); ++i)
        {
            if (!event.Holds({m_places[i].x, m_places[i].y, m_places[i].z}))
            {
                continue;
            }
            DPDL_REFUSE_IF(event.timing.pattern != ::dpdl::FailureTiming::Pattern::ONCE,
                           event.place + ": a circle with a base station",
                           event.text,
                           "one that lasts from a time to another; stations do not "
                           "come and go at random");
            m_outages.push_back({i, event.timing.begin, event.timing.end});
        }
    }
}

void
DpdlLteNetwork::Install(Ptr<Node> server, const NodeContainer& users) const
{
    DPDL_REFUSE_IF(users.GetN() > MOST_USERS,
                   "number of users",
                   std::to_string(users.GetN()),
                   "at most " + std::to_string(MOST_USERS) +
                       ", as many as a station of LTE tells apart");
    const NodeContainer sites = Sites();
    const auto core = CreateObject<PointToPointEpcHelper>();
    const Ptr<LteHelper> lte = MakeLte(core, m_blocks, sites.GetN() > 1);
    // Keep the helpers alive: they would destroy the core network when they go out of scope.
    Simulator::ScheduleDestroy([lte, core] {});
    const NetDeviceContainer stations = lte->InstallEnbDevice(sites);
    const NetDeviceContainer devices = lte->InstallUeDevice(users);
    const int64_t used = lte->AssignStreams(stations, DpdlStreams::LTE);
    lte->AssignStreams(devices, DpdlStreams::LTE + used);

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(DpdlDefaultRoutingHelper());
    stack.Install(users);
    stack.Install(server);
    const Ptr<NetDevice> entry = InstallServer(server, core->GetPgwNode());
    core->AssignUeIpv4Address(devices);
    const auto detached = CreateObject<DpdlDetachedLossModel>();
    std::for_each(users.Begin(), users.End(), [&detached](const Ptr<Node>& user) {
        detached->Add(user->GetObject<Ipv4>());
    });
    entry->SetAttribute("ReceiveErrorModel", PointerValue(detached));
    SetUp(stations, devices);
    lte->AttachToClosestEnb(devices, stations);
    if (sites.GetN() > 1)
    {
        lte->AddX2Interface(sites);
    }
    ScheduleOutages(stations);
    CountBytes(server, stations, devices);
}

NodeContainer
DpdlLteNetwork::Sites() const
{
    NodeContainer sites;
    sites.Create(static_cast<uint32_t>(m_places.size()));
    for (uint32_t i = 0; i < sites.GetN(); ++i)
    {
        PlaceDpdlNode(sites.Get(i), m_places[i]);
    }
    return sites;
}

void
DpdlLteNetwork::SetUp(const NetDeviceContainer& stations, const NetDeviceContainer& users) const
{
    for (uint32_t i = 0; i < users.GetN(); ++i)
    {
        const Ptr<LteUeNetDevice> device = DeviceAt<LteUeNetDevice>(users, i);
        device->SetMtu(LTE_MTU);
        device->GetPhy()->SetTxPower(m_userPower);
        device->AggregateObject(CreateObject<DpdlReceiveGate>());
        device->GetNas()->SetForwardUpCallback(
            Callback<void, Ptr<Packet>>([device](Ptr<Packet> packet) {
                if (device->GetObject<DpdlReceiveGate>()->Passes(packet))
                {
                    device->Receive(packet);
                }
            }));
    }
    for (uint32_t i = 0; i < stations.GetN(); ++i)
    {
        const Ptr<LteEnbNetDevice> station = DeviceAt<LteEnbNetDevice>(stations, i);
        station->GetPhy()->SetTxPower(m_stationPower);
        station->GetRrc()->SetAttribute("SrsPeriodicity",
                                        UintegerValue(SoundingPeriod(users.GetN())));
    }
}

void
DpdlLteNetwork::ScheduleOutages(const NetDeviceContainer& stations) const
{
    std::map<uint32_t, DpdlStationSwitch> switches;
    for (const Outage& outage : m_outages)
    {
        const auto found =
            switches.try_emplace(outage.station,
                                 DeviceAt<LteEnbNetDevice>(stations, outage.station));
        const DpdlStationSwitch station = found.first->second;
        Simulator::Schedule(Seconds(outage.begin), [station] { station.Set(false); });
        if (std::isfinite(outage.end))
        {
            Simulator::Schedule(Seconds(outage.end), [station] { station.Set(true); });
        }
    }
}

} // namespace ns3
