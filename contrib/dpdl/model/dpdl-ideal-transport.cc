// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-ideal-transport.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlIdealTransport);

TypeId
DpdlIdealTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlIdealTransport")
                            .SetParent<DpdlTransport>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlIdealTransport>();
    return tid;
}

void
DpdlIdealTransport::DoSend(const ::dpdl::Share& share, Ptr<Packet> packet)
{
    if (IsLostByFailure(share, LinkConditionOf(share)))
    {
        Drop(share);
        return;
    }
    Deliver(share, packet, Time(0));
}

} // namespace ns3
