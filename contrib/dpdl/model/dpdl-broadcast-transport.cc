// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-broadcast-transport.h"

#include "dpdl-header.h"
#include "dpdl-type.h"
#include "dpdl/base/errors.h"

#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlBroadcastTransport);

TypeId
DpdlBroadcastTransport::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlBroadcastTransport, DpdlUdpTransport>("ns3::DpdlBroadcastTransport");
    return tid;
}

void
DpdlBroadcastTransport::DoDispose()
{
    m_groups.clear();
    DpdlUdpTransport::DoDispose();
}

void
DpdlBroadcastTransport::DoSend(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    std::map<uint16_t, Group>& chunks = m_groups[share.source];
    if (chunks.empty())
    {
        Simulator::ScheduleNow(&DpdlBroadcastTransport::Flush, this, share.source);
    }
    Group& group = chunks[share.chunk];
    if (!group.empty() &&
        (group.front().share.round != share.round || group.front().GetSize() != message.GetSize()))
    {
        Broadcast(group);
        group = Group();
    }
    group.push_back(message);
}

void
DpdlBroadcastTransport::Flush(uint32_t source)
{
    std::map<uint16_t, Group> chunks;
    std::swap(chunks, m_groups[source]);
    for (const auto& [chunk, group] : chunks)
    {
        Broadcast(group);
    }
}

void
DpdlBroadcastTransport::Broadcast(const Group& group)
{
    const DpdlPath& path = CommonPath(group);
    Ptr<Packet> packet = group.front().GetPacket()->Copy();
    DpdlHeader header;
    packet->RemoveHeader(header);
    for (std::size_t i = group.size(); i > 0; --i)
    {
        group[i - 1].GetPacket()->PeekHeader(header);
        packet->AddHeader(header);
    }
    Launch(group, packet, path, true);
}

const DpdlPath&
DpdlBroadcastTransport::CommonPath(const Group& group)
{
    const DpdlPath& first = PathOf(group.front().share.source, group.front().share.target);
    for (const DpdlMessage& message : group)
    {
        const ::dpdl::Share& share = message.share;
        const DpdlPath& path = PathOf(share.source, share.target);
        DPDL_REFUSE_IF(
            path.device != first.device || !path.sameSubnet || path.device->IsPointToPoint() ||
                !path.device->IsBroadcast(),
            "option 'transport': broadcast from node " + std::to_string(share.source) +
                " does not reach node " + std::to_string(share.target) +
                "; expected one device that reaches all out-neighbours, such as CSMA or WiFi");
    }
    return first;
}

NS_OBJECT_ENSURE_REGISTERED(DpdlIdealTransport);

TypeId
DpdlIdealTransport::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlIdealTransport, DpdlTransport>("ns3::DpdlIdealTransport");
    return tid;
}

void
DpdlIdealTransport::DoSend(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    if (IsLostByFailure(share, LinkConditionOf(share)))
    {
        Drop(share, {::dpdl::DropReason::FAILURE, share.target});
        return;
    }
    Deliver(message, Time(0));
}

} // namespace ns3
