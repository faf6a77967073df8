// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-node-state.h"

#include "ns3/box.h"
#include "ns3/building-list.h"
#include "ns3/building.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/double.h"
#include "ns3/mobility-model.h"
#include "ns3/nstime.h"

namespace ns3
{

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

void
SetDpdlStepTime(Ptr<Application> application, const ::dpdl::ResolvedRun& run, uint32_t node)
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
