// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// ns3-scripts.py inserts an include of this file at the top of ns-3's own example scripts.

#include "ns3/config.h"
#include "ns3/dpdl-header.h"
#include "ns3/dpdl-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

/// Handles trace source LocalDeliver of a node's Ipv4L3Protocol. Once IP has delivered all
/// fragments of a dpdl message over UDP, it prints the trace source's path and the simulated time
/// in ns.
inline void
PrintArrival(std::string path, const Ipv4Header& ip, Ptr<const Packet> datagram, uint32_t)
{
    static std::map<uint64_t, std::set<uint32_t>> arrived;
    UdpHeader udp;
    DpdlFragmentHeader piece;
    const Ptr<Packet> packet = datagram->Copy();
    if (ip.GetProtocol() != 17 || packet->RemoveHeader(udp) + piece.SIZE > datagram->GetSize())
    {
        return;
    }
    packet->PeekHeader(piece);
    std::set<uint32_t>& pieces = arrived[piece.number];
    if (piece.IsValid() && pieces.insert(piece.index).second && pieces.size() == piece.count)
    {
        std::cout << path << " " << Simulator::Now().GetNanoSeconds() << "\n";
    }
}

/// Runs the simulation until the nodes that learn have completed their rounds. The environment
/// variable DPDL_SCRIPT must be set. It has, separated by blanks: the number of nodes that learn,
/// their ns-3 ids, the start of learning and its jitter (ns-3 times such as 1s), and pairs of an
/// option and its value.
inline void
RunDpdlScript()
{
    std::istringstream given(std::getenv("DPDL_SCRIPT"));
    uint32_t count = 0;
    NodeContainer nodes;
    for (given >> count; nodes.GetN() < count;)
    {
        uint32_t id = 0;
        given >> id;
        nodes.Add(NodeContainer::GetGlobal().Get(id));
    }
    Time start;
    Time jitter;
    given >> start >> jitter;
    DpdlHelper dpdl;
    for (std::string option, value; given >> option >> value;)
    {
        dpdl.Set(option, value);
    }
    dpdl.SetStartJitter(jitter);
    dpdl.Install(nodes).Start(start);
    dpdl.StopAtEnd();
    Config::ConnectFailSafe("/NodeList/*/$ns3::Ipv4L3Protocol/LocalDeliver",
                            MakeCallback(&PrintArrival));
    Simulator::Run();
    dpdl.Finish();
}

} // namespace ns3
