// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-linux-reno.h"

#include "dpdl-type.h"

#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlLinuxReno);

namespace
{

/// TCP_RTO_MIN of Linux: minimum difference between retransmission timeout and round trip time.
const Time LEAST_TIMEOUT = MilliSeconds(200);

/// Time for which an acknowledgement is delayed at most. ns-3 uses one fixed value; Linux adapts it
/// between TCP_DELACK_MIN (40 ms, used here) and TCP_DELACK_MAX (200 ms).
const Time ACKNOWLEDGEMENT_DELAY = MilliSeconds(40);

} // namespace

bool
HasUserDefault(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    type.LookupAttributeByName(name, &attribute);
    return attribute.initialValue != attribute.originalInitialValue;
}

void
SetUnlessGiven(Ptr<Object> object, const std::string& name, const AttributeValue& value)
{
    if (!HasUserDefault(object->GetInstanceTypeId(), name))
    {
        object->SetAttribute(name, value);
    }
}

TypeId
DpdlLinuxReno::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlLinuxReno, TcpLinuxReno>("ns3::DpdlLinuxReno");
    return tid;
}

void
DpdlLinuxReno::Use(Ptr<Node> node)
{
    SetUnlessGiven(node->GetObject<TcpL4Protocol>(), "SocketType", TypeIdValue(GetTypeId()));
}

void
DpdlLinuxReno::SetTimers(Ptr<Socket> socket)
{
    SetUnlessGiven(socket, "MinRto", TimeValue(LEAST_TIMEOUT));
    SetUnlessGiven(socket, "ClockGranularity", TimeValue(LEAST_TIMEOUT));
    SetUnlessGiven(socket, "DelAckTimeout", TimeValue(ACKNOWLEDGEMENT_DELAY));
}

void
DpdlLinuxReno::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    TcpLinuxReno::CwndEvent(tcb, event);
    const Time timeout = m_lastRtt + LEAST_TIMEOUT;
    Time idle = Simulator::Now() - m_lastAcked;
    if (event != TcpSocketState::CA_EVENT_TX_START || m_lastAcked.IsZero() || idle <= timeout)
    {
        return;
    }
    const uint32_t window = tcb->m_cWnd;
    const uint32_t least = std::min(window, tcb->m_initialCWnd * tcb->m_segmentSize);
    uint32_t halved = window;
    for (; idle > timeout && halved > least; idle -= timeout)
    {
        halved /= 2;
    }
    tcb->m_ssThresh = std::max(tcb->m_ssThresh.Get(), window / 4 * 3);
    tcb->m_cWnd = std::max(halved, least);
    tcb->m_cWndInfl = tcb->m_cWnd;
}

void
DpdlLinuxReno::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt)
{
    TcpLinuxReno::PktsAcked(tcb, segmentsAcked, rtt);
    m_lastAcked = Simulator::Now();
    m_lastRtt = rtt;
}

Ptr<TcpCongestionOps>
DpdlLinuxReno::Fork()
{
    return CopyObject<DpdlLinuxReno>(Ptr<DpdlLinuxReno>(this));
}

} // namespace ns3
