// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lr-wpan-dodag.h"

#include "dpdl-lr-wpan-meter.h"

#include "ns3/dpdl-dodag.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/lr-wpan-mac-header.h"
#include "ns3/lr-wpan-mac.h"
#include "ns3/node.h"

#include <map>
#include <memory>

namespace ns3
{

namespace
{

/// The link-local address of each radio, by its short address.
using Neighbours = std::map<Mac16Address, Ipv6Address>;

/// A radio is through with a frame. @param isAcknowledged or it has given it up
void
OnFrame(Ptr<DpdlDodag> dodag,
        std::shared_ptr<const Neighbours> neighbours,
        bool isAcknowledged,
        Ptr<const Packet> frame)
{
    lrwpan::LrWpanMacHeader header;
    frame->PeekHeader(header);
    const auto found = neighbours->find(header.GetShortDstAddr());
    if (found != neighbours->end())
    {
        dodag->NoteFrame(found->second, isAcknowledged);
    }
}

} // namespace

void
InstallDpdlDodag(const NetDeviceContainer& devices,
                 const NetDeviceContainer& radios,
                 int64_t stream)
{
    const auto neighbours = std::make_shared<Neighbours>();
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto stack = devices.Get(i)->GetNode()->GetObject<Ipv6L3Protocol>();
        const auto mac = DynamicCast<lrwpan::LrWpanNetDevice>(radios.Get(i))->GetMac();
        const auto dodag = CreateObject<DpdlDodag>();
        dodag->AssignStreams(stream + i);
        stack->GetRoutingProtocol()->Dispose(); // it refers to the stack
        stack->SetRoutingProtocol(dodag);
        dodag->Begin(devices.Get(i), i == 0);
        const auto interface = stack->GetInterfaceForDevice(devices.Get(i));
        (*neighbours)[mac->GetShortAddress()] = stack->GetAddress(interface, 0).GetAddress();
        for (const auto& [source, isAcknowledged] :
             {std::pair{"MacTxOk", true}, {"MacTxDrop", false}})
        {
            mac->TraceConnectWithoutContext(
                source,
                MakeBoundCallback(&OnFrame,
                                  dodag,
                                  std::shared_ptr<const Neighbours>(neighbours),
                                  isAcknowledged));
        }
    }
}

} // namespace ns3
