// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-transport-setup.h"

#include "dpdl/experiment/run-failures.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/dpdl-broadcast-transport.h"
#include "ns3/dpdl-header.h"
#include "ns3/dpdl-tcp-transport.h"
#include "ns3/dpdl-udp-transport.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

// Maps options to attributes of the transport. An option that the user gave overrides an attribute
// that the program has set.

namespace ns3
{

namespace
{

/// Bytes of a message in a packet of 1500 bytes, after the IP, UDP and fragment headers.
constexpr uint64_t PAYLOAD_BYTES = 1440;
/// Bytes of all headers of a packet on a point-to-point link, including 2 bytes of PPP.
constexpr uint64_t HEADER_BYTES = 62;

Ptr<DpdlPacketTransport>
MakeTransport(::dpdl::TransportKind kind)
{
    switch (kind)
    {
    case ::dpdl::TransportKind::TCP:
        return CreateObject<DpdlTcpTransport>();
    case ::dpdl::TransportKind::BROADCAST:
        return CreateObject<DpdlBroadcastTransport>();
    case ::dpdl::TransportKind::UDP:
        break;
    }
    return CreateObject<DpdlUdpTransport>();
}

/// Sets the loss probability of all links from option drop, if the user gave it and no link file
/// has a column for it.
void
SetDrop(DpdlTransport& transport, const ::dpdl::RunOptions& settings)
{
    if (settings.linkFiles.count(::dpdl::LinkColumn::DROP) == 0 && settings.drop.has_value())
    {
        transport.SetAttribute("DropProbability", DoubleValue(*settings.drop));
    }
}

/// Transfer time in s of a message of @p bytes bytes on the slowest link of a graph. It ignores
/// connection setup and flow control of TCP.
double
TransferSeconds(const ::dpdl::LinkTable& links, const ::dpdl::GraphSequence& graph, uint64_t bytes)
{
    const uint64_t wire = bytes + HEADER_BYTES * ((bytes + PAYLOAD_BYTES - 1) / PAYLOAD_BYTES);
    double longest = 0.0;
    const auto consider = [&](::dpdl::NodeId source, ::dpdl::NodeId target) {
        const ::dpdl::LinkParameters link = links.At(source, target);
        longest = std::max(longest, 8.0 * static_cast<double>(wire) / link.dataRate + link.delay);
    };
    ::dpdl::ForEachEdge(graph, 0, graph.Period(), consider);
    // The edges of an aperiodic graph are not known in advance: any pair of nodes may be an edge.
    for (::dpdl::NodeId source = 0; graph.Period() == 0 && source < graph.Nodes(); ++source)
    {
        for (::dpdl::NodeId target = 0; target < graph.Nodes(); ++target)
        {
            consider(source, target == source ? (source + 1) % graph.Nodes() : target);
        }
    }
    return longest;
}

/// Refuses delay failures in one direction under TCP: data and acknowledgements share a channel,
/// which has one delay. The check takes place before the run.
void
RequireTwoWayDelays(const ::dpdl::NetworkSettings& settings)
{
    for (const ::dpdl::FailureEvent& event : ::dpdl::ReadFailures(settings))
    {
        if (event.kind != ::dpdl::FailureKind::LINK_DELAY)
        {
            continue;
        }
        bool isTwoWay = event.timing.together;
        for (uint32_t i = 0; isTwoWay && i < settings.nodes; ++i)
        {
            for (uint32_t j = 0; isTwoWay && j < i; ++j)
            {
                isTwoWay = event.links.Covers(i, j) == event.links.Covers(j, i);
            }
        }
        DPDL_REFUSE_IF(!isTwoWay,
                       event.place + ": the delay in",
                       event.text,
                       "both directions of a link at once, such as 0<->1, as TCP's "
                       "acknowledgements take the same channel");
    }
}

void
BuildNetwork(DpdlPacketSetup& setup,
             const ::dpdl::RunOptions& settings,
             const NodeContainer& nodes,
             const DpdlRunAttributes& attributes,
             ::dpdl::NetworkFacts& facts)
{
    facts.links = ::dpdl::ReadLinks(settings, *facts.link);
    auto links = facts.links ? facts.links
                             : std::make_shared<const ::dpdl::LinkTable>(nodes.GetN(), *facts.link);
    facts.transferSeconds = [links](const ::dpdl::GraphSequence& graph, uint64_t bytes) {
        return TransferSeconds(*links, graph, bytes);
    };
    setup.network = std::make_shared<DpdlPacketNetwork>(
        nodes,
        [links](uint32_t source, uint32_t target) { return links->At(source, target); },
        attributes.ofDevices);
    setup.transport->SetPathMaker(
        [network = setup.network, port = setup.transport->Port()](uint32_t source,
                                                                  uint32_t target) {
            return network->Connect(source, target, port);
        });
}

} // namespace

DpdlPacketSetup
MakeDpdlPacketSetup(const ::dpdl::RunOptions& settings,
                    const NodeContainer& nodes,
                    ::dpdl::NetworkFacts& facts,
                    const DpdlRunAttributes& attributes)
{
    DpdlPacketSetup setup;
    setup.transport = MakeTransport(settings.transport.value_or(::dpdl::TransportKind::UDP));
    SetDpdlAttributes(*setup.transport, attributes.ofTransport, ASKED_TRANSPORT);
    setup.transport->SetAttribute("RealPayload", BooleanValue(settings.payloadBytes));
    SetDrop(*setup.transport, settings);
    UintegerValue datagram(0);
    setup.transport->GetAttributeFailSafe("DatagramSize", datagram);
    DPDL_REFUSE_IF(datagram.Get() > 0 && datagram.Get() <= DpdlFragmentHeader::SIZE,
                   "attribute 'DatagramSize'",
                   std::to_string(datagram.Get()),
                   "0, or more than the " + std::to_string(DpdlFragmentHeader::SIZE) +
                       " bytes of a fragment's header");
    DoubleValue drop;
    setup.transport->GetAttribute("DropProbability", drop);
    facts.link = ::dpdl::AskedLink(settings);
    facts.link->drop = drop.Get();
    if (DpdlPacketNetwork::HaveStacks(nodes))
    {
        return setup;
    }
    DPDL_REFUSE_IF(settings.transport == ::dpdl::TransportKind::BROADCAST,
                   "option 'transport'",
                   "broadcast",
                   "udp or tcp, unless the program gives its nodes a shared medium");
    if (UsesTcp(settings))
    {
        RequireTwoWayDelays(settings);
    }
    BuildNetwork(setup, settings, nodes, attributes, facts);
    return setup;
}

Ptr<DpdlMessageTransport>
MakeDpdlMessageTransport(const ::dpdl::RunOptions& settings,
                         ::dpdl::NetworkFacts& facts,
                         const DpdlRunAttributes& attributes)
{
    const auto transport = CreateObject<DpdlMessageTransport>();
    SetDpdlAttributes(*transport, attributes.ofTransport, ASKED_TRANSPORT);
    const auto hasFile = [&settings](::dpdl::LinkColumn column) {
        return settings.linkFiles.count(column) > 0;
    };
    if (!hasFile(::dpdl::LinkColumn::DATA_RATE) && settings.dataRate.has_value())
    {
        const auto rate = static_cast<uint64_t>(std::llround(*settings.dataRate));
        transport->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
    }
    if (!hasFile(::dpdl::LinkColumn::DELAY) && settings.delay.has_value())
    {
        transport->SetAttribute("Delay", TimeValue(Seconds(*settings.delay)));
    }
    SetDrop(*transport, settings);
    facts.link = transport->LinkDefaults();
    facts.links = ::dpdl::ReadLinks(settings, *facts.link);
    transport->SetLinks(facts.links);
    if (!transport->IsPlain())
    {
        facts.transferSeconds = [transport](const ::dpdl::GraphSequence& graph, uint64_t bytes) {
            return transport->TransferSeconds(graph, bytes);
        };
    }
    return transport;
}

std::string
DpdlMessageFidelity(const ::dpdl::NetworkFacts& facts)
{
    std::string error;
    for (const std::string& line : facts.links ? facts.links->Errors() : std::vector<std::string>())
    {
        error += (error.empty() ? "" : "; ") + line;
    }
    return error.empty() ? "message: not calibrated" : "message: calibrated, " + error;
}

} // namespace ns3
