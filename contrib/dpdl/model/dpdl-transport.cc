// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <utility>

// Functions common to all transports: ports of nodes, messages in flight, failures of links at
// arrival, and notification of senders.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlTransport);

TypeId
DpdlTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlTransport").SetParent<Object>().SetGroupName("Dpdl");
    return tid;
}

void
DpdlTransport::Connect(uint32_t node, uint32_t context, ReceiveCallback receive, DropCallback drop)
{
    NS_LOG_FUNCTION(this << node << context);
    if (node >= m_ports.size())
    {
        m_ports.resize(node + 1);
    }
    m_ports[node] = {context, std::move(receive), std::move(drop)};
    m_nodeOfContext[context] = node;
    DoConnect(node, context);
}

void
DpdlTransport::HandOver(const DpdlMessage& message)
{
    m_ports[message.share.target].receive(message);
}

void
DpdlTransport::Send(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    NS_LOG_FUNCTION(this << share.source << share.target << share.round);
    const bool isHere = share.target < m_ports.size() && m_ports[share.target].receive;
    NS_ABORT_MSG_UNLESS(isHere || IsElsewhere(share.target),
                        "DpdlTransport: node " << share.target << " is not connected");
    if (!isHere)
    {
        m_gateway->Announce(share);
    }
    DoSend(message);
}

void
DpdlTransport::SetGateway(std::shared_ptr<DpdlGateway> gateway)
{
    m_gateway = std::move(gateway);
    m_gateway->SetReceiver([this](const DpdlMessage& message, Time delay, Time arriving) {
        Deliver(message, delay, arriving);
    });
}

void
DpdlTransport::Refuse(const ::dpdl::Share& share)
{
    Drop(share, {::dpdl::DropReason::NODE_DOWN, share.target});
}

void
DpdlTransport::SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions)
{
    m_conditions = std::move(conditions);
    m_failureLoss.emplace(::dpdl::RandomSeed{RngSeedManager::GetSeed(),
                                             static_cast<uint32_t>(RngSeedManager::GetRun())});
}

bool
DpdlTransport::IsOver(bool here)
{
    const bool isOver = here && !HasMessages();
    return m_gateway ? m_gateway->IsOver(isOver) && isOver : isOver;
}

bool
DpdlTransport::HasMessages() const
{
    return m_flights.Size() > 0;
}

void
DpdlTransport::DoDispose()
{
    m_ports.clear();
    m_nodeOfContext.clear();
    m_flights.Clear();
    m_gateway = nullptr;
    Object::DoDispose();
}

void
DpdlTransport::Deliver(const DpdlMessage& message, Time delay, Time arriving)
{
    const uint32_t target = message.share.target;
    if (IsElsewhere(target))
    {
        m_gateway->Send(message, delay, arriving);
        return;
    }
    DpdlMessage flight = message;
    flight.arriving = arriving;
    Simulator::ScheduleWithContext(m_ports[target].context,
                                   delay,
                                   &DpdlTransport::Arrive,
                                   this,
                                   m_flights.Add(std::move(flight)));
}

::dpdl::LinkCondition
DpdlTransport::LinkConditionOf(const ::dpdl::Share& share) const
{
    return m_conditions ? m_conditions->Link(share.source, share.target) : ::dpdl::LinkCondition();
}

bool
DpdlTransport::IsLostByFailure(const ::dpdl::Share& share, const ::dpdl::LinkCondition& condition)
{
    return m_failureLoss && m_failureLoss->Loses(share.source, share.target, condition);
}

::dpdl::MessageLoss
DpdlTransport::GivenUp(const ::dpdl::Share& share) const
{
    using Loss = ::dpdl::MessageLoss;
    return LinkConditionOf(share).up ? Loss{::dpdl::DropReason::DEADLINE, share.source}
                                     : Loss{::dpdl::DropReason::FAILURE, share.target};
}

void
DpdlTransport::Drop(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss)
{
    NS_LOG_LOGIC("lost: " << share.source << "->" << share.target << " round " << share.round);
    const bool crosses = IsElsewhere(share.source) || IsElsewhere(share.target);
    if (!crosses || !m_gateway->Lose(share, loss))
    {
        m_ports[share.source].drop(share, loss);
    }
}

void
DpdlTransport::Reject(const ::dpdl::Share& share)
{
    NS_LOG_FUNCTION(this << share.source << share.target << share.round);
    Drop(share, {::dpdl::DropReason::CORRUPT, share.target});
}

void
DpdlTransport::Arrive(uint32_t number)
{
    const DpdlMessage message = m_flights.Take(number);
    const ::dpdl::Share& share = message.share;
    const Time since = Simulator::Now() - message.arriving;
    if (m_conditions && m_conditions->WasDown(share.source, share.target, since.GetSeconds()))
    {
        Drop(share, {::dpdl::DropReason::FAILURE, share.target});
        return;
    }
    HandOver(message);
}

} // namespace ns3
