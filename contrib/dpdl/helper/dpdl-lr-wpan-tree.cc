// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-lr-wpan-tree.h"

#include "dpdl-lr-wpan-meter.h"
#include "dpdl-node-state.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/dpdl-dodag.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/lr-wpan-mac-header.h"
#include "ns3/lr-wpan-mac.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/propagation-loss-model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

// The tree is an array of parents. Radio ranges follow from the propagation loss model. The routes
// are static IPv6 routes.

namespace ns3
{

namespace
{

/// Transmission power and sensitivity of ns-3's IEEE 802.15.4 radios, in dBm.
constexpr double TX_POWER = 0.0;
constexpr double SENSITIVITY = -106.58;

/// Range of a radio with the propagation loss of DpdlLrWpanNetwork, in metres.
double
Reach()
{
    DoubleValue exponent;
    DoubleValue loss;
    DoubleValue distance;
    const auto model = CreateObject<LogDistancePropagationLossModel>();
    model->GetAttribute("Exponent", exponent);
    model->GetAttribute("ReferenceLoss", loss);
    model->GetAttribute("ReferenceDistance", distance);
    const double margin = TX_POWER - SENSITIVITY - loss.Get();
    return distance.Get() * std::pow(10.0, margin / (10.0 * exponent.Get()));
}

double
DistanceOf(Ptr<Node> here, Ptr<Node> there)
{
    return here->GetObject<MobilityModel>()->GetDistanceFrom(there->GetObject<MobilityModel>());
}

/// Global IPv6 address of a device: the address that was assigned last.
Ipv6Address
GlobalAddressOf(Ptr<NetDevice> device)
{
    const auto ipv6 = device->GetNode()->GetObject<Ipv6L3Protocol>();
    const auto interface = ipv6->GetInterfaceForDevice(device);
    return ipv6->GetAddress(interface, ipv6->GetNAddresses(interface) - 1).GetAddress();
}

/// Adds a route to the node of @p from: packets to @p to go through @p next.
void
AddRoute(Ptr<NetDevice> from, Ptr<NetDevice> to, Ptr<NetDevice> next)
{
    const auto ipv6 = from->GetNode()->GetObject<Ipv6L3Protocol>();
    Ipv6StaticRoutingHelper().GetStaticRouting(ipv6)->AddHostRouteTo(
        GlobalAddressOf(to),
        GlobalAddressOf(next),
        ipv6->GetInterfaceForDevice(from));
}

/// Link-local address of each radio, by its short address.
using Neighbours = std::map<Mac16Address, Ipv6Address>;

/// Reports the result of a transmission to the node's DpdlDodag. @param isAcknowledged true: the
/// receiver acknowledged the frame; false: the sender gave it up
void
OnFrame(Ptr<DpdlDodag> dodag,
        std::shared_ptr<const Neighbours> neighbours, // NOLINT: ns-3 binds a value
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

DpdlLrWpanTree::DpdlLrWpanTree(std::vector<uint32_t> parents)
    : m_parents(std::move(parents))
{
}

DpdlLrWpanTree
DpdlLrWpanTree::Place(const NodeContainer& nodes, uint32_t hops, double distance)
{
    const uint32_t lines = (nodes.GetN() - 1 + hops - 1) / hops;
    std::vector<uint32_t> parents(nodes.GetN(), 0);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const uint32_t depth = i == 0 ? 0 : (i - 1) / lines + 1;
        const double angle = i == 0 ? 0.0 : 2.0 * M_PI * ((i - 1) % lines) / lines;
        PlaceDpdlNode(
            nodes.Get(i),
            Vector(distance * depth * std::cos(angle), distance * depth * std::sin(angle), 0.0));
        parents[i] = depth > 1 ? i - lines : 0;
    }
    return DpdlLrWpanTree(parents);
}

DpdlLrWpanTree
DpdlLrWpanTree::Shortest(const NodeContainer& nodes)
{
    constexpr uint32_t UNKNOWN = std::numeric_limits<uint32_t>::max();
    const double reach = Reach();
    std::vector<uint32_t> parents(nodes.GetN(), UNKNOWN);
    parents[0] = 0;
    std::vector<uint32_t> found{0}; // nodes reached so far, in order of their hops to node 0
    for (std::size_t k = 0; k < found.size(); ++k)
    {
        for (uint32_t i = 1; i < nodes.GetN(); ++i)
        {
            if (parents[i] == UNKNOWN && DistanceOf(nodes.Get(i), nodes.Get(found[k])) <= reach)
            {
                parents[i] = found[k];
                found.push_back(i);
            }
        }
    }
    const auto lone = std::find(parents.begin(), parents.end(), UNKNOWN) - parents.begin();
    DPDL_REFUSE_IF(found.size() < nodes.GetN(),
                   "place of node " + std::to_string(lone),
                   "out of reach",
                   "hops of at most " + ::dpdl::ShowRounded(std::floor(reach), 3) +
                       " m, as far as a radio reaches");
    return DpdlLrWpanTree(parents);
}

uint32_t
DpdlLrWpanTree::DepthOf(uint32_t node) const
{
    uint32_t depth = 0;
    for (; node > 0; node = m_parents[node])
    {
        ++depth;
    }
    return depth;
}

double
DpdlLrWpanTree::Depth() const
{
    double depth = 1.0;
    for (uint32_t i = 1; i < m_parents.size(); ++i)
    {
        depth = std::max(depth, HopsOf(i));
    }
    return depth;
}

double
DpdlLrWpanTree::HopsOf(uint32_t node) const
{
    if (m_parents.empty())
    {
        return 1.0;
    }
    if (node > 0)
    {
        return DepthOf(node);
    }
    double all = 0.0;
    for (uint32_t i = 1; i < m_parents.size(); ++i)
    {
        all += DepthOf(i);
    }
    return all / (m_parents.size() - 1.0);
}

void
DpdlLrWpanTree::RequireReach(const NodeContainer& nodes) const
{
    const double reach = Reach();
    for (uint32_t i = 1; i < m_parents.size(); ++i)
    {
        const double distance = DistanceOf(nodes.Get(i), nodes.Get(m_parents[i]));
        DPDL_REFUSE_IF(distance > reach,
                       "distance of neighbours in a tree",
                       ::dpdl::ShowRounded(distance, 3) + " m",
                       "at most " + ::dpdl::ShowRounded(std::floor(reach), 3) +
                           " m, as far as a radio reaches");
    }
}

void
DpdlLrWpanTree::AddRoutes(const NetDeviceContainer& devices) const
{
    // Nodes on the path from node 0 to the target route to the next node on that path. All other
    // nodes route to their parents.
    const auto nodes = static_cast<uint32_t>(m_parents.size());
    for (uint32_t target = 0; target < nodes; ++target)
    {
        std::vector<uint32_t> next = m_parents;
        for (uint32_t i = target; i > 0; i = m_parents[i])
        {
            next[m_parents[i]] = i;
        }
        for (uint32_t node = 0; node < nodes; ++node)
        {
            if (node != target && next[node] != target)
            {
                AddRoute(devices.Get(node), devices.Get(target), devices.Get(next[node]));
            }
        }
    }
}

void
DpdlLrWpanTree::LetForward(const NetDeviceContainer& devices)
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto ipv6 = devices.Get(i)->GetNode()->GetObject<Ipv6L3Protocol>();
        ipv6->SetForwarding(ipv6->GetInterfaceForDevice(devices.Get(i)), true);
        ipv6->SetAttribute("IpForward", BooleanValue(true));
        // For ns-3 all nodes are on one link, so routers would redirect senders to nodes out of
        // range.
        ipv6->SetAttribute("SendIcmpv6Redirect", BooleanValue(false));
    }
}

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
        stack->GetRoutingProtocol()->Dispose(); // removes its reference to the stack
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
