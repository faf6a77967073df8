// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-node-state.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/box.h"
#include "ns3/building-list.h"
#include "ns3/building.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/double.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/dpdl-path.h"
#include "ns3/energy-source-container.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6.h"
#include "ns3/mobility-model.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <map>
#include <memory>
#include <set>

// Queries of ns-3 nodes for the trace: position, energy, frames, and the messages that nodes can
// overhear.

namespace ns3
{

namespace
{

/// Records which nodes of a run receive messages that are addressed to other nodes.
struct Overheard
{
    NodeContainer nodes; //!< nodes of the run
    std::string unknown; //!< type of an IP stack without trace source Rx; "": none
    /// Node numbers, by IP address; the value is the number of nodes if the address belongs to no
    /// node of the run.
    std::map<Address, uint32_t> owners;
    /// Pairs of node numbers: an observing node, and the observed sender.
    std::set<std::pair<uint32_t, uint32_t>> pairs;

    uint32_t OwnerOf(const Address& address)
    {
        const auto [known, isNew] = owners.emplace(address, nodes.GetN());
        // Addresses may be assigned while the simulation runs, so search all nodes for an unknown
        // address.
        for (uint32_t i = 0; isNew && i < nodes.GetN(); ++i)
        {
            for (const Address& own : FindIpAddresses(nodes.Get(i)))
            {
                owners[own] = i;
            }
        }
        return known->second;
    }
};

template <typename Header, typename Stack>
void
OnReceived(std::shared_ptr<Overheard> heard, // NOLINT: ns-3 binds a value
           uint32_t node,
           Ptr<const Packet> packet,
           Ptr<Stack> /* stack */,
           uint32_t /* interface */)
{
    Header header;
    packet->PeekHeader(header);
    const uint32_t source = heard->OwnerOf(header.GetSource());
    const uint32_t target = heard->OwnerOf(header.GetDestination());
    if (std::max(source, target) < heard->nodes.GetN() && target != node)
    {
        heard->pairs.insert({node, source});
    }
}

template <typename Header, typename Stack>
void
Watch(const std::shared_ptr<Overheard>& heard, uint32_t node)
{
    const auto stack = heard->nodes.Get(node)->GetObject<Stack>();
    const auto callback = MakeBoundCallback(&OnReceived<Header, Stack>, heard, node);
    if (stack && !stack->TraceConnectWithoutContext("Rx", callback))
    {
        heard->unknown = stack->GetInstanceTypeId().GetName();
    }
}

/// Returns "all" if a node has a broadcast device, "" if all devices are point-to-point or
/// loopback, else the name of another device type.
std::string
HeardByDevices(const NodeContainer& nodes)
{
    std::string heard;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        for (uint32_t k = 0; k < nodes.Get(i)->GetNDevices(); ++k)
        {
            const Ptr<NetDevice> device = nodes.Get(i)->GetDevice(k);
            const std::string type = device->GetInstanceTypeId().GetName();
            const bool isLink =
                type == "ns3::PointToPointNetDevice" || type == "ns3::LoopbackNetDevice";
            if (!isLink && device->IsBroadcast() && !device->IsPointToPoint())
            {
                return "all";
            }
            heard = isLink ? heard : type;
        }
    }
    return heard;
}

/// Appends the energy that devices took according to all their energy models of one type; appends
/// nothing if there is no such model.
void
AddEnergyOf(TypeId type,
            const energy::EnergySourceContainer& sources,
            std::vector<::dpdl::EnergyUse>& uses)
{
    ::dpdl::EnergyUse use{type.GetName(), Simulator::Now().GetSeconds(), 0.0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < sources.GetN(); ++i)
    {
        const auto models = sources.Get(i)->FindDeviceEnergyModels(type);
        for (uint32_t k = 0; k < models.GetN(); ++k, ++found)
        {
            use.joule += models.Get(k)->GetTotalEnergyConsumption();
        }
    }
    if (found > 0)
    {
        uses.push_back(use);
    }
}

} // namespace

std::optional<::dpdl::Position>
DpdlPlaceOf(Ptr<Node> node)
{
    const Ptr<MobilityModel> mobility = node->GetObject<MobilityModel>();
    if (!mobility)
    {
        return std::nullopt;
    }
    const Vector place = mobility->GetPosition();
    return ::dpdl::Position{place.x, place.y, place.z};
}

void
PlaceDpdlNode(Ptr<Node> node, const Vector& place)
{
    const auto mobility = CreateObject<ConstantPositionMobilityModel>();
    mobility->SetPosition(place);
    node->AggregateObject(mobility);
}

double
RequireDpdlPower(double dBm, double most)
{
    DPDL_REFUSE_IF(!IsDpdlPower(dBm, most),
                   "transmission power",
                   ::dpdl::ShowNumber(dBm) + " dBm",
                   "-20 to " + ::dpdl::ShowNumber(most));
    return dBm;
}

std::vector<::dpdl::Building>
ListDpdlBuildings()
{
    std::vector<::dpdl::Building> buildings;
    for (auto building = BuildingList::Begin(); building != BuildingList::End(); ++building)
    {
        const Box box = (*building)->GetBoundaries();
        buildings.push_back({box.xMin, box.xMax, box.yMin, box.yMax, box.zMax});
    }
    return buildings;
}

std::vector<::dpdl::EnergyUse>
DpdlEnergyOf(Ptr<Node> node)
{
    std::vector<::dpdl::EnergyUse> uses;
    const Ptr<DpdlRadio> radio = node->GetObject<DpdlRadio>();
    const auto sources = node->GetObject<energy::EnergySourceContainer>();
    for (uint16_t i = 0; !radio && sources && i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(energy::DeviceEnergyModel::GetTypeId()) &&
            type != DpdlRadioEnergyModel::GetTypeId())
        {
            AddEnergyOf(type, *sources, uses);
        }
    }
    for (std::size_t i = 0; radio && i < DpdlRadio::STATES; ++i)
    {
        const auto state = static_cast<DpdlRadio::State>(i);
        uses.push_back(
            {DpdlRadio::NameOf(state), radio->TimeIn(state).GetSeconds(), radio->JouleIn(state)});
    }
    return uses;
}

std::optional<DpdlRadio::Frames>
CountDpdlFrames(const NodeContainer& nodes)
{
    std::optional<DpdlRadio::Frames> all;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (const Ptr<DpdlRadio> radio = nodes.Get(i)->GetObject<DpdlRadio>())
        {
            all = all.value_or(DpdlRadio::Frames{});
            all->sent += radio->Count().sent;
            all->givenUp += radio->Count().givenUp;
            all->fragments += radio->Count().fragments;
        }
    }
    return all;
}

std::function<uint64_t()>
CountDpdlAirBytes(const NodeContainer& nodes)
{
    if (nodes.Get(0)->GetObject<DpdlRadio>() || nodes.Get(0)->GetObject<DpdlAirBytes>())
    {
        return {};
    }
    const auto bytes = std::make_shared<uint64_t>(0);
    const Callback<void, Ptr<const Packet>> count(
        [bytes](Ptr<const Packet> packet) { *bytes += packet->GetSize(); });
    const Callback<void, Ptr<const Packet>, double> countWifi(
        [bytes](Ptr<const Packet> packet, double) { *bytes += packet->GetSize(); });
    bool isCounted = false;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        for (uint32_t k = 0; k < nodes.Get(i)->GetNDevices(); ++k)
        {
            const Ptr<NetDevice> device = nodes.Get(i)->GetDevice(k);
            const std::string type = device->GetInstanceTypeId().GetName();
            // Read attribute Phy instead of calling the device: this file then does not depend on
            // the radio modules.
            PointerValue phy;
            const bool isWifi = type == "ns3::WifiNetDevice";
            // The namespace of the device type depends on ns-3's version.
            const bool isRadio = isWifi || type.find("LrWpanNetDevice") != std::string::npos;
            if (isRadio && device->GetAttributeFailSafe("Phy", phy))
            {
                isCounted |= phy.GetObject()->TraceConnectWithoutContext(
                    "PhyTxBegin",
                    isWifi ? static_cast<const CallbackBase&>(countWifi) : count);
            }
        }
    }
    return isCounted ? [bytes] { return *bytes; } : std::function<uint64_t()>();
}

std::function<std::string()>
WatchDpdlMedium(const NodeContainer& nodes)
{
    const auto heard = std::make_shared<Overheard>();
    heard->nodes = nodes;
    const uint32_t watched = HeardByDevices(nodes) == "all" ? 0 : nodes.GetN();
    for (uint32_t i = 0; i < watched; ++i)
    {
        heard->pairs.insert({i, i}); // a node also knows the messages that it sends
        Watch<Ipv4Header, Ipv4>(heard, i);
        Watch<Ipv6Header, Ipv6>(heard, i);
    }
    return [heard] {
        const std::string known = HeardByDevices(heard->nodes) + heard->unknown;
        std::string pairs;
        for (const auto& [node, source] : heard->pairs)
        {
            pairs += std::to_string(node) + ":" + std::to_string(source) + ",";
        }
        return known.empty() ? pairs : known;
    };
}

void
SetDpdlStepTime(Ptr<Application> application, const ::dpdl::ResolvedNetwork& run, uint32_t node)
{
    const ::dpdl::ComputeModel& model = *run.computeModel;
    if (run.compute.kind == ::dpdl::ComputeKind::MEASURED)
    {
        DoubleValue scale;
        application->GetAttribute("MeasuredScale", scale);
        const double own = scale.Get() > 0.0 ? scale.Get() : 1.0;
        application->SetAttribute("MeasuredScale", DoubleValue(own * model.Factor(node)));
    }
    else if (run.compute.kind == ::dpdl::ComputeKind::PROFILE || run.compute.heterogeneity > 1.0)
    {
        application->SetAttribute("ComputeTime", TimeValue(Seconds(model.Seconds(node))));
    }
}

} // namespace ns3
