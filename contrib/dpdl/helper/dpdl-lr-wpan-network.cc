// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lr-wpan-network.h"

#include "dpdl-lr-wpan-meter.h"
#include "dpdl-node-state.h"
#include "dpdl-streams.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/boolean.h"
#include "ns3/dpdl-header.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lr-wpan-csmaca.h"
#include "ns3/ndisc-cache.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/simulator.h"
#include "ns3/single-model-spectrum-channel.h"
#include "ns3/sixlowpan-helper.h"
#include "ns3/sixlowpan-net-device.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

// Computes the slots of nodes, installs radios, 6LoWPAN and IPv6 with static neighbour entries, and
// adds the routes of a tree or installs DpdlDodag.

namespace ns3
{

namespace
{

/// Fraction of the awake time used for slots; in the remaining time the radios send the frames that
/// are still queued.
constexpr double SEND_SHARE = 0.95;
/// Pacing rate in bit/s over one hop: of each node in its slot or, without slots, of all nodes
/// together. It is below the channel's 250 kbit/s because frame headers, backoff and
/// acknowledgements also take time.
constexpr double CAPACITY = 80e3;
/// Maximum numbers of frame retries and of backoffs, and smallest and largest backoff exponent,
/// under contention. All but SMALLEST_BE are the largest values that the standard allows.
constexpr uint8_t FRAME_RETRIES = 7;
constexpr uint8_t BACKOFFS = 5;
constexpr uint8_t SMALLEST_BE = 5;
constexpr uint8_t LARGEST_BE = 8;
/// Number of periods that nodes get to find their tree, in addition to two periods per hop.
constexpr double SPARE_PERIODS = 3.0;
/// Bytes of link-layer headers per datagram that DpdlUdpTransport assumes on devices that are not
/// point-to-point.
constexpr uint32_t FRAMING = 18;
/// MTU of 6LoWPAN, and size of the IPv6 and UDP headers of a datagram, in bytes.
constexpr std::size_t IPV6_MTU = 1280;
constexpr std::size_t IP_BYTES = 48;

void
OnFragment(Ptr<DpdlRadio> radio, Ptr<const Packet>, Ptr<SixLowPanNetDevice>, uint32_t)
{
    ++radio->Count().fragments;
}

Ptr<lrwpan::LrWpanNetDevice>
RadioAt(const NetDeviceContainer& radios, uint32_t index)
{
    return DynamicCast<lrwpan::LrWpanNetDevice>(radios.Get(index));
}

/// Switches the receivers of all radios on (except those of nodes without power) if @p awake is
/// true, else off. Does so again after each @p period.
void
SetAwake(const NetDeviceContainer& radios, bool awake, Time period)
{
    for (uint32_t i = 0; i < radios.GetN(); ++i)
    {
        const bool hasPower = radios.Get(i)->GetNode()->GetObject<DpdlRadio>()->IsPowered();
        RadioAt(radios, i)->GetMac()->SetRxOnWhenIdle(awake && hasPower);
    }
    Simulator::Schedule(period, &SetAwake, radios, awake, period);
}

/// Adds permanent entries for all other nodes (IPv6 address to MAC address) to the neighbour cache
/// of every node.
void
IntroduceNeighbours(const NetDeviceContainer& devices)
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto ipv6 = devices.Get(i)->GetNode()->GetObject<Ipv6L3Protocol>();
        const auto own = ipv6->GetInterface(ipv6->GetInterfaceForDevice(devices.Get(i)));
        for (uint32_t j = 0; j < devices.GetN(); ++j)
        {
            const auto other = devices.Get(j)->GetNode()->GetObject<Ipv6L3Protocol>();
            const auto interface = other->GetInterfaceForDevice(devices.Get(j));
            for (uint32_t k = 0; i != j && k < other->GetNAddresses(interface); ++k)
            {
                NdiscCache::Entry* const entry =
                    own->GetNdiscCache()->Add(other->GetAddress(interface, k).GetAddress());
                entry->SetMacAddress(devices.Get(j)->GetAddress());
                entry->MarkPermanent();
            }
        }
    }
}

} // namespace

void
DpdlLrWpanNetwork::SetDutyCycle(Time period, double awake)
{
    DPDL_REFUSE_IF(!period.IsStrictlyPositive(),
                   "period of a duty cycle",
                   ::dpdl::ShowNumber(period.GetSeconds()) + "s",
                   "a time > 0");
    DPDL_REFUSE_IF(!(awake > 0.0 && awake <= 1.0),
                   "duty cycle",
                   ::dpdl::ShowNumber(awake),
                   "a number above 0 and up to 1");
    m_period = period;
    m_awake = awake * period;
}

void
DpdlLrWpanNetwork::FitTo(const ::dpdl::RunOptions& settings)
{
    const bool isBroadcast = settings.transport == ::dpdl::TransportKind::BROADCAST;
    const auto others = static_cast<uint32_t>(settings.nodes - 1);
    const double messages = settings.topology == "star" && !isBroadcast ? others : 1.0;
    for (uint32_t i = 0; i < settings.nodes; ++i)
    {
        m_loads[i] = m_tree.HopsOf(i) * (i == 0 ? messages : 1.0);
    }
    const ::dpdl::Compression compression{
        ::dpdl::MakeCompressor(settings.compress.value_or("none"), settings.seed)};
    const std::size_t chunk = settings.chunkBytes > 0
                                  ? compression.Bytes(settings.chunkBytes / sizeof(float),
                                                      compression.compressor != nullptr)
                                  : IPV6_MTU;
    const std::size_t headers = (isBroadcast ? others : 1) * DpdlHeader::SIZE;
    SetLargestDatagram(static_cast<uint32_t>(
        std::min(chunk + headers + DpdlFragmentHeader::SIZE + IP_BYTES, IPV6_MTU)));
}

Time
DpdlLrWpanNetwork::SettlingTime() const
{
    // A hop takes at most one period in each direction.
    const auto periods = static_cast<int64_t>(2.0 * m_tree.Depth() + SPARE_PERIODS);
    return m_isDodag ? m_period * periods : Time(0);
}

void
DpdlLrWpanNetwork::PlaceAroundGateway(const NodeContainer& nodes, double distance)
{
    PlaceDpdlNode(nodes.Get(0), Vector());
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        const double angle = 2.0 * M_PI * i / (nodes.GetN() - 1);
        PlaceDpdlNode(nodes.Get(i),
                      Vector(distance * std::cos(angle), distance * std::sin(angle), 0.0));
    }
}

void
DpdlLrWpanNetwork::PlaceOnGrid(const NodeContainer& nodes, double distance)
{
    const auto width = static_cast<uint32_t>(std::ceil(std::sqrt(nodes.GetN())));
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const uint32_t row = i / width;
        PlaceDpdlNode(nodes.Get(i), Vector(distance * (i % width), distance * row, 0.0));
    }
}

NetDeviceContainer
DpdlLrWpanNetwork::InstallRadios(const NodeContainer& nodes) const
{
    // LrWpanHelper would destroy its channel when it goes out of scope.
    const auto channel = CreateObject<SingleModelSpectrumChannel>();
    channel->AddPropagationLossModel(CreateObject<LogDistancePropagationLossModel>());
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    NetDeviceContainer radios;
    int64_t stream = DpdlStreams::LR_WPAN;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const std::array<uint8_t, 6> bytes{0, 0, 0, 0, 0, static_cast<uint8_t>(i + 1)};
        Mac48Address address;
        address.CopyFrom(bytes.data());
        const auto radio = CreateObject<lrwpan::LrWpanNetDevice>();
        radio->SetChannel(channel);
        nodes.Get(i)->AddDevice(radio);
        radio->SetNode(nodes.Get(i));
        stream += radio->AssignStreams(stream);
        radio->SetAddress(address);
        if (m_isContending || m_tree.IsThere())
        {
            // In a tree, hidden nodes interfere with each other, so frames need more attempts.
            radio->GetMac()->SetMacMaxFrameRetries(FRAME_RETRIES);
            radio->GetCsmaCa()->SetMacMaxCSMABackoffs(BACKOFFS);
        }
        if (m_isContending)
        {
            radio->GetCsmaCa()->SetMacMaxBE(LARGEST_BE);
            radio->GetCsmaCa()->SetMacMinBE(SMALLEST_BE);
        }
        radios.Add(radio);
    }
    return radios;
}

std::vector<double>
DpdlLrWpanNetwork::Shares(uint32_t nodes) const
{
    std::vector<double> shares(nodes, 1.0);
    for (const auto& [node, load] : m_loads)
    {
        shares.at(node) = load;
    }
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::for_each(shares.begin(), shares.end(), [all](double& share) { share /= all; });
    return shares;
}

Time
DpdlLrWpanNetwork::SlotOf(double share) const
{
    return SEND_SHARE * m_awake * (m_isContending ? 1.0 : share);
}

void
DpdlLrWpanNetwork::RequireSlots(const std::vector<double>& shares) const
{
    const double least = *std::min_element(shares.begin(), shares.end());
    const double rate = CAPACITY * (m_isContending ? least : 1.0);
    const double needed = 8.0 * (m_largest + FRAMING) / rate;
    const double slot = SlotOf(least).GetSeconds();
    DPDL_REFUSE_IF(slot < needed,
                   "radios awake for",
                   ::dpdl::ShowNumber(m_awake.GetSeconds()) + "s",
                   "at least " +
                       ::dpdl::ShowRounded(m_awake.GetSeconds() * needed / slot + 0.001, 3) +
                       "s, since each of " + std::to_string(shares.size()) +
                       " nodes needs time for a datagram of " + std::to_string(m_largest) +
                       " bytes; a longer period, a higher duty cycle, a smaller "
                       "chunk or fewer nodes may do");
}

void
DpdlLrWpanNetwork::Meter(const NodeContainer& nodes, const NetDeviceContainer& radios) const
{
    const std::vector<double> shares = Shares(nodes.GetN());
    RequireSlots(shares);
    Time start;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double rate = CAPACITY / m_tree.HopsOf(i) * (m_isContending ? shares[i] : 1.0);
        Ptr<DpdlRadio> meter = CreateObject<DpdlRadio>();
        meter->SetAttribute("PacingRate", DataRateValue(DataRate(std::llround(rate))));
        meter->SetAttribute("SlotPeriod", TimeValue(m_period));
        meter->SetAttribute("SlotStart", TimeValue(start));
        meter->SetAttribute("SlotEnd", TimeValue(start + SlotOf(shares[i])));
        start += m_isContending ? Time(0) : SlotOf(shares[i]);
        nodes.Get(i)->AggregateObject(meter);
        ConnectDpdlRadio(meter, RadioAt(radios, i), m_awake, m_period);
    }
}

NetDeviceContainer
DpdlLrWpanNetwork::Install(const NodeContainer& nodes)
{
    DPDL_REFUSE_IF(nodes.GetN() > MOST_NODES,
                   "number of nodes",
                   std::to_string(nodes.GetN()),
                   "at most " + std::to_string(MOST_NODES) +
                       ", as many as an LR-WPAN of this kind has addresses for");
    m_tree.RequireReach(nodes);
    const NetDeviceContainer radios = InstallRadios(nodes);
    Meter(nodes, radios);
    InternetStackHelper stack;
    stack.SetIpv4StackInstall(false);
    stack.Install(nodes);
    stack.AssignStreams(nodes, DpdlStreams::LR_WPAN_STACKS);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        // Addresses are unique, and duplicate address detection would ignore the slots.
        nodes.Get(i)->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
    }
    SixLowPanHelper sixLowPan;
    NetDeviceContainer devices = sixLowPan.Install(radios);
    sixLowPan.AssignStreams(devices, DpdlStreams::SIX_LOW_PAN);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        devices.Get(i)->TraceConnectWithoutContext(
            "Tx",
            MakeBoundCallback(&OnFragment, nodes.Get(i)->GetObject<DpdlRadio>()));
    }
    Ipv6AddressHelper addresses;
    // ns-3 does not forward to the documentation prefix 2001:db8::/32.
    addresses.SetBase(Ipv6Address("fd00:db8::"), Ipv6Prefix(64));
    addresses.Assign(devices);
    IntroduceNeighbours(devices);
    m_isDodag ? InstallDpdlDodag(devices, radios, DpdlStreams::DODAG) : m_tree.AddRoutes(devices);
    // Make all nodes routers, which forward packets. Hosts would send router solicitations outside
    // the slots, at times that depend on the version of ns-3.
    DpdlLrWpanTree::LetForward(devices);
    if (m_awake < m_period)
    {
        Simulator::Schedule(Time(0), &SetAwake, radios, true, m_period);
        Simulator::Schedule(m_awake, &SetAwake, radios, false, m_period);
    }
    return devices;
}

} // namespace ns3
