// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-drop-watch.h"

#include "dpdl-type.h"

#include "ns3/config.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/pointer.h"
#include "ns3/queue-item.h"
#include "ns3/type-id.h"

#include <utility>

namespace ns3
{

namespace
{

using ::dpdl::DropReason;
using ::dpdl::MessageLoss;
using Watch = std::shared_ptr<DpdlDropCallback>;

/// Paths of trace sources whose only argument is the dropped packet, each with the reason to
/// report.
constexpr std::pair<const char*, DropReason> PACKET_SOURCES[] = {
    {"/NodeList/*/$ns3::TrafficControlLayer/TcDrop", DropReason::DEVICE_QUEUE},
    {"/NodeList/*/DeviceList/*/$ns3::PointToPointNetDevice/MacTxDrop", DropReason::DEVICE_QUEUE},
    {"/NodeList/*/DeviceList/*/$ns3::CsmaNetDevice/MacTxDrop", DropReason::DEVICE_QUEUE},
    {"/NodeList/*/DeviceList/*/$ns3::CsmaNetDevice/PhyTxDrop", DropReason::MAC},
    {"/NodeList/*/DeviceList/*/$ns3::PointToPointNetDevice/PhyRxDrop", DropReason::PHY},
    {"/NodeList/*/DeviceList/*/$ns3::CsmaNetDevice/PhyRxDrop", DropReason::PHY},
    {"/NodeList/*/DeviceList/*/Mac/MacTxDrop", DropReason::MAC},
    {"/NodeList/*/$ns3::ArpL3Protocol/Drop", DropReason::ARP},
    {"/NodeList/*/$ns3::ArpL3Protocol/CacheList/*/Drop", DropReason::ARP},
    {"/NodeList/*/DeviceList/*/LteUeRrc/DataRadioBearerMap/*/LteRlc/TxDrop", DropReason::RLC},
    {"/NodeList/*/DeviceList/*/LteEnbRrc/UeMap/*/DataRadioBearerMap/*/LteRlc/TxDrop",
     DropReason::RLC},
};

/// Reports a drop.
/// @param context path of the trace source that reported the drop; it contains the indices of the
/// node and, for some sources, of the device
void
Note(const Watch& watch,
     DropReason reason,
     const std::string& context,
     Ptr<const Packet> packet,
     const Mac48Address& to = Mac48Address())
{
    MessageLoss loss{reason};
    std::sscanf(context.c_str(), "/NodeList/%u/DeviceList/%u", &loss.node, &loss.device);
    if (*watch)
    {
        (*watch)(packet, to, loss);
    }
}

void
NotePacket(Watch watch, DropReason reason, std::string context, Ptr<const Packet> packet)
{
    Note(watch, reason, context, packet);
}

void
NoteItem(Watch watch, std::string context, Ptr<const QueueDiscItem> item)
{
    Note(watch, DropReason::QUEUE_DISC, context, item->GetPacket());
}

void
NoteFrame(Watch watch, std::string context, Mac48Address to)
{
    Note(watch, DropReason::MAC, context, nullptr, to);
}

/// Reports a drop by IPv4 or IPv6. The function is a template because the drop reasons of IPv4 and
/// IPv6 have the same names but different types.
template <class Header, class Stack, class Protocol>
void
NoteIp(Watch watch,
       std::string context,
       const Header&,
       Ptr<const Packet> packet,
       typename Protocol::DropReason reason,
       Ptr<Stack>,
       uint32_t)
{
    const bool isLost = reason == Protocol::DROP_NO_ROUTE || reason == Protocol::DROP_ROUTE_ERROR ||
                        reason == Protocol::DROP_INTERFACE_DOWN;
    if (isLost || reason == Protocol::DROP_TTL_EXPIRED)
    {
        Note(watch, isLost ? DropReason::NO_ROUTE : DropReason::TTL, context, packet);
    }
}

/// Connects a trace source if the type in its path is registered. For a type of a module that the
/// program lacks, ns-3 fails an assertion or, without assertions, reads beyond its table.
void
Connect(const std::string& path, const CallbackBase& callback)
{
    TypeId type;
    const std::size_t begin = path.find('$') + 1;
    const std::string name = path.substr(begin, path.find('/', begin) - begin);
    if (begin == 0 || TypeId::LookupByNameFailSafe(name, &type))
    {
        Config::ConnectFailSafe(path, callback);
    }
}

} // namespace

void
WatchDpdlDrops(std::shared_ptr<DpdlDropCallback> callback)
{
    for (const auto& [path, reason] : PACKET_SOURCES)
    {
        Connect(path, MakeBoundCallback(&NotePacket, callback, reason));
    }
    Connect("/NodeList/*/$ns3::TrafficControlLayer/RootQueueDiscList/*/Drop",
            MakeBoundCallback(&NoteItem, callback));
    Connect("/NodeList/*/$ns3::Ipv4L3Protocol/Drop",
            MakeBoundCallback(&NoteIp<Ipv4Header, Ipv4, Ipv4L3Protocol>, callback));
    Connect("/NodeList/*/$ns3::Ipv6L3Protocol/Drop",
            MakeBoundCallback(&NoteIp<Ipv6Header, Ipv6, Ipv6L3Protocol>, callback));
    for (const char* source : {"MacTxFinalDataFailed", "MacTxFinalRtsFailed"})
    {
        Connect(std::string("/NodeList/*/DeviceList/*/RemoteStationManager/") + source,
                MakeBoundCallback(&NoteFrame, callback));
    }
}

void
WatchDpdlDrops(std::shared_ptr<DpdlDropCallback> callback, Ptr<Object> socket, uint32_t node)
{
    socket->TraceConnect("Drop",
                         "/NodeList/" + std::to_string(node),
                         MakeBoundCallback(&NotePacket, callback, DropReason::SOCKET_BUFFER));
}

NS_OBJECT_ENSURE_REGISTERED(DpdlReceiveGate);

TypeId
DpdlReceiveGate::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlReceiveGate, Object>("ns3::DpdlReceiveGate")
                            .AddAttribute("ReceiveErrorModel",
                                          "Loses packets that arrive; none: all get through",
                                          PointerValue(),
                                          MakePointerAccessor(&DpdlReceiveGate::m_model),
                                          MakePointerChecker<ErrorModel>());
    return tid;
}

bool
DpdlReceiveGate::Passes(Ptr<Packet> packet) const
{
    return !m_model || !m_model->IsCorrupt(packet);
}

} // namespace ns3
