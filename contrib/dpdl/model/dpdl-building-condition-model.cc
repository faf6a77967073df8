// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-building-condition-model.h"

#include "ns3/building-list.h"
#include "ns3/building.h"
#include "ns3/mobility-model.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlBuildingConditionModel);

TypeId
DpdlBuildingConditionModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlBuildingConditionModel")
                            .SetParent<ThreeGppChannelConditionModel>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlBuildingConditionModel>();
    return tid;
}

double
DpdlBuildingConditionModel::ComputePlos(Ptr<const MobilityModel> a,
                                        Ptr<const MobilityModel> b) const
{
    const Vector from = a->GetPosition();
    const Vector to = b->GetPosition();
    return std::any_of(
               BuildingList::Begin(),
               BuildingList::End(),
               [&](const Ptr<Building>& building) { return building->IsIntersect(from, to); })
               ? 0.0
               : 1.0;
}

} // namespace ns3
