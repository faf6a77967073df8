// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FIDELITY_CASES_H
#define DPDL_FIDELITY_CASES_H

/**
 * @file
 * The same messages over packets and in message mode, for the tests and the bench of fidelity.
 */

#include "ns3/dpdl-link-probe.h"
#include "ns3/dpdl-message-transport.h"
#include "ns3/dpdl-transport-setup.h"
#include "ns3/dpdl-udp-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3
{

/// A link, and a message over it.
struct FidelityCase
{
    uint64_t bytes; //!< of the message
    double rate;    //!< bit/s
    double delay;   //!< s
};

/// Who shares what: leaves of a star whose hub is one of the nodes, a router between them.
enum class StarTraffic
{
    TO_HUB,  //!< every leaf sends to the hub: the router's link to the hub is shared
    FROM_HUB //!< the hub sends to every leaf: the hub's own link is shared
};

/// Bytes of a message in a full packet of DpdlUdpTransport, and all headers of that packet.
constexpr uint32_t FIDELITY_PAYLOAD = 1440;
constexpr uint32_t FIDELITY_HEADERS = 62;

/// Times a volley, and destroys the simulation.
inline std::vector<::dpdl::TimedMessage>
TimeVolley(const NodeContainer& nodes,
           const DpdlLinkProbe::Volley& volley,
           Ptr<DpdlTransport> transport)
{
    DpdlLinkProbe probe(nodes, {volley}, Seconds(1e6));
    const std::vector<::dpdl::TimedMessage> messages = probe.Run(transport);
    transport->Dispose();
    Simulator::Destroy();
    return messages;
}

/// Message mode as it should be for UDP on point-to-point links, without fitting anything.
inline Ptr<DpdlMessageTransport>
MakeFidelityTransport(const FidelityCase& one)
{
    const auto transport = CreateObject<DpdlMessageTransport>();
    transport->SetAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(one.rate))));
    transport->SetAttribute("Delay", TimeValue(Seconds(one.delay)));
    transport->SetAttribute("PacketSize", UintegerValue(FIDELITY_PAYLOAD));
    transport->SetAttribute("PacketOverhead", UintegerValue(FIDELITY_HEADERS));
    return transport;
}

/// One message over one link: the error of message mode against packets.
inline ::dpdl::DurationError
CompareOneLink(const FidelityCase& one, ::dpdl::TransportKind kind)
{
    const DpdlLinkProbe::Volley volley{{0, 1, one.bytes}};
    NodeContainer nodes(2);
    ::dpdl::RunOptions settings;
    settings.nodes = 2;
    settings.transport = kind;
    settings.dataRate = one.rate;
    settings.delay = one.delay;
    ::dpdl::NetworkFacts facts;
    const DpdlPacketSetup setup = MakeDpdlPacketSetup(settings, nodes, facts);
    const auto packets = TimeVolley(nodes, volley, setup.transport);
    NodeContainer others(2);
    return ::dpdl::CompareDurations(TimeVolley(others, volley, MakeFidelityTransport(one)),
                                    packets);
}

/// A row of the file of measurements, bench/data/README.md.
struct LinuxRow
{
    std::string protocol;      //!< of the kernel's sockets
    double senders{0};         //!< to one receiver
    std::uint64_t bytes{0};    //!< of a message
    double rate{0};            //!< bit/s
    double delay{0};           //!< s
    double loss{0};            //!< probability of a data packet's loss
    double gap{0};             //!< s from the end of a message to the next
    std::uint32_t messages{0}; //!< one after the other, the first left out of the mean
    double median{0};          //!< s
    double mean{0};            //!< s that a message took
};

/// Mean time of a message over TCP in packet mode, the first left out, as in the measurements.
inline double
PacketSeconds(const LinuxRow& row, uint64_t run)
{
    RngSeedManager::SetRun(run);
    NodeContainer nodes(2);
    ::dpdl::RunOptions settings;
    settings.nodes = 2;
    settings.transport = ::dpdl::TransportKind::TCP;
    settings.dataRate = row.rate;
    settings.delay = row.delay;
    settings.drop = row.loss;
    ::dpdl::NetworkFacts facts;
    const DpdlPacketSetup setup = MakeDpdlPacketSetup(settings, nodes, facts);
    setup.transport->AssignStreams(0);
    DpdlLinkProbe probe(nodes, {row.messages, {{0, 1, row.bytes}}}, Seconds(1e6), Seconds(row.gap));
    const std::vector<::dpdl::TimedMessage> messages = probe.Run(setup.transport);
    setup.transport->Dispose();
    Simulator::Destroy();
    double sum = 0.0;
    for (std::size_t i = 1; i < messages.size(); ++i)
    {
        sum += messages[i].arrivedAt - messages[i].sentAt;
    }
    return sum / static_cast<double>(messages.size() - 1);
}

/// A star of point-to-point links of one rate and delay; the router is no node of the run.
inline NodeContainer
MakeStar(uint32_t leaves, const FidelityCase& one)
{
    NodeContainer nodes(leaves + 1);
    NodeContainer router(CreateObject<Node>());
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    stack.Install(router);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(one.rate))));
    link.SetChannelAttribute("Delay", TimeValue(Seconds(one.delay)));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1000000p"));
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const NetDeviceContainer devices = link.Install(nodes.Get(i), router.Get(0));
        addresses.Assign(devices);
        TrafficControlHelper::Default().Uninstall(devices);
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return nodes;
}

/// As many messages as leaves over a star: the error of message mode against UDP.
inline ::dpdl::DurationError
CompareStar(uint32_t leaves, StarTraffic traffic, const FidelityCase& one)
{
    const bool isToHub = traffic == StarTraffic::TO_HUB;
    DpdlLinkProbe::Volley volley;
    for (uint32_t leaf = 0; leaf < leaves; ++leaf)
    {
        volley.push_back({isToHub ? leaf : leaves, isToHub ? leaves : leaf, one.bytes});
    }
    const NodeContainer nodes = MakeStar(leaves, one);
    const auto packets = TimeVolley(nodes, volley, CreateObject<DpdlUdpTransport>());
    FidelityCase path = one;
    path.delay = 2.0 * one.delay;
    const Ptr<DpdlMessageTransport> transport = MakeFidelityTransport(path);
    transport->SetAttribute("Hops", UintegerValue(2));
    transport->SetAttribute("Sharing", StringValue(isToHub ? "downlink" : "uplink"));
    transport->SetAttribute("Discipline", StringValue(isToHub ? "fair" : "fifo"));
    NodeContainer others(leaves + 1);
    return ::dpdl::CompareDurations(TimeVolley(others, volley, transport), packets);
}

} // namespace ns3

#endif // DPDL_FIDELITY_CASES_H
