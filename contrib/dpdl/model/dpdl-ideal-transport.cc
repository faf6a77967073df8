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
