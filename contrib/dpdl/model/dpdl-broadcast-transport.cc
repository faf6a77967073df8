// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-broadcast-transport.h"

#include "dpdl-header.h"
#include "dpdl/base/errors.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlBroadcastTransport);

TypeId
DpdlBroadcastTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlBroadcastTransport")
                            .SetParent<DpdlUdpTransport>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlBroadcastTransport>();
    return tid;
}

void
DpdlBroadcastTransport::DoDispose()
{
    m_groups.clear();
    DpdlUdpTransport::DoDispose();
}

void
DpdlBroadcastTransport::DoSend(const ::dpdl::Share& share, Ptr<Packet> packet)
{
    std::vector<Group>& groups = m_groups[share.source];
    const auto isOfGroup = [&share, &packet](const Group& group) {
        const ::dpdl::Share& first = group.shares.front();
        return first.round == share.round && first.chunk == share.chunk &&
               group.packets.front()->GetSize() == packet->GetSize();
    };
    // A node sends all chunks to one receiver before any to the next.
    auto place = std::find_if(groups.begin(), groups.end(), isOfGroup);
    if (place == groups.end())
    {
        if (groups.empty())
        {
            Simulator::ScheduleNow(&DpdlBroadcastTransport::Flush, this, share.source);
        }
        place = groups.insert(groups.end(), Group{});
    }
    place->shares.push_back(share);
    place->packets.push_back(packet);
}

void
DpdlBroadcastTransport::Flush(uint32_t source)
{
    std::vector<Group> groups;
    std::swap(groups, m_groups[source]);
    for (const Group& group : groups)
    {
        Ptr<Packet> message = group.packets.front()->Copy();
        DpdlHeader header;
        message->RemoveHeader(header);
        for (std::size_t i = group.packets.size(); i > 0; --i)
        {
            group.packets[i - 1]->PeekHeader(header);
            message->AddHeader(header);
        }
        Launch(group.shares, message, CommonPath(group.shares), true);
    }
}

const DpdlPath&
DpdlBroadcastTransport::CommonPath(const std::vector<::dpdl::Share>& shares)
{
    const DpdlPath& first = PathOf(shares.front().source, shares.front().target);
    for (const ::dpdl::Share& share : shares)
    {
        const DpdlPath& path = PathOf(share.source, share.target);
        if (path.device != first.device || !path.sameSubnet || path.device->IsPointToPoint() ||
            !path.device->IsBroadcast())
        {
            throw ::dpdl::UsageError(
                "option 'transport': broadcast from node " + std::to_string(share.source) +
                " does not reach node " + std::to_string(share.target) +
                "; expected one device that reaches all out-neighbours, such as CSMA or WiFi");
        }
    }
    return first;
}

} // namespace ns3
