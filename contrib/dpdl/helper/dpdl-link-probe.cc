// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-link-probe.h"

#include "ns3/dpdl-header.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

std::vector<DpdlLinkProbe::Volley>
DpdlLinkProbe::ForEachLink(const std::vector<::dpdl::Edge>& links,
                           const std::vector<uint64_t>& sizes,
                           uint32_t burst)
{
    std::vector<Volley> volleys;
    for (const ::dpdl::Edge& link : links)
    {
        for (const uint64_t size : sizes)
        {
            const Message message{link.source, link.target, size};
            volleys.push_back({message});
            volleys.emplace_back(burst, message);
        }
    }
    return volleys;
}

std::vector<DpdlLinkProbe::Volley>
DpdlLinkProbe::AllAtOnce(const std::vector<::dpdl::Edge>& links, const std::vector<uint64_t>& sizes)
{
    std::vector<Volley> volleys;
    for (const uint64_t size : sizes)
    {
        Volley volley;
        for (const ::dpdl::Edge& link : links)
        {
            volley.push_back({link.source, link.target, size});
        }
        volleys.push_back(volley);
    }
    return volleys;
}

DpdlLinkProbe::DpdlLinkProbe(const NodeContainer& nodes,
                             std::vector<Volley> volleys,
                             Time patience,
                             Time gap)
    : m_nodes(nodes),
      m_volleys(std::move(volleys)),
      m_patience(patience),
      m_gap(gap)
{
}

std::vector<::dpdl::TimedMessage>
DpdlLinkProbe::Run(Ptr<DpdlTransport> transport)
{
    m_transport = transport;
    for (uint32_t node = 0; node < m_nodes.GetN(); ++node)
    {
        transport->Connect(
            node,
            m_nodes.Get(node)->GetId(),
            [this](const DpdlMessage& message) { Hear(message.share.round, true); },
            [this](const ::dpdl::Share& share, const ::dpdl::MessageLoss&) {
                Hear(share.round, false);
            });
    }
    Simulator::Schedule(Time(0), &DpdlLinkProbe::SendVolley, this);
    Simulator::Run();
    return m_messages;
}

void
DpdlLinkProbe::SendVolley()
{
    if (m_next == m_volleys.size())
    {
        Simulator::Stop();
        return;
    }
    const Volley& volley = m_volleys[m_next++];
    m_waiting = volley.size();
    m_patienceEvent = Simulator::Schedule(m_patience, &DpdlLinkProbe::GiveUp, this);
    for (const Message& message : volley)
    {
        Send(message);
    }
}

void
DpdlLinkProbe::Send(const Message& message)
{
    ::dpdl::Share share;
    share.source = message.source;
    share.target = message.target;
    share.round = static_cast<uint32_t>(m_messages.size());
    DpdlHeader header(share);
    header.payloadBytes = message.bytes - DpdlHeader::SIZE;
    Ptr<Packet> packet = Create<Packet>(header.payloadBytes);
    packet->AddHeader(header);
    m_isDecided.push_back(false);
    m_messages.push_back({message.source,
                          message.target,
                          message.bytes,
                          static_cast<uint32_t>(m_next - 1),
                          Simulator::Now().GetSeconds()});
    m_transport->Send(DpdlMessage(share, packet));
}

void
DpdlLinkProbe::Hear(uint32_t number, bool hasArrived)
{
    if (m_isDecided[number])
    {
        return;
    }
    m_isDecided[number] = true;
    ::dpdl::TimedMessage& message = m_messages[number];
    if (hasArrived)
    {
        message.arrivedAt = Simulator::Now().GetSeconds();
    }
    if (message.volley + 1 != m_next)
    {
        return;
    }
    m_patienceEvent.Cancel();
    if (--m_waiting == 0)
    {
        Simulator::Schedule(m_gap, &DpdlLinkProbe::SendVolley, this);
        return;
    }
    m_patienceEvent = Simulator::Schedule(m_patience, &DpdlLinkProbe::GiveUp, this);
}

void
DpdlLinkProbe::GiveUp()
{
    m_waiting = 0;
    SendVolley();
}

} // namespace ns3
