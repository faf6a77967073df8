// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-building-condition-model.h"

#include "ns3/box.h"
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
    const auto [west, east] = std::minmax({from.x, to.x});
    const auto [south, north] = std::minmax({from.y, to.y});
    for (auto building = BuildingList::Begin(); building != BuildingList::End(); ++building)
    {
        // ns-3's intersection is slow, and most buildings are elsewhere.
        const Box box = (*building)->GetBoundaries();
        if (box.xMin <= east && box.xMax >= west && box.yMin <= north && box.yMax >= south &&
            (*building)->IsIntersect(from, to))
        {
            return 0.0;
        }
    }
    return 1.0;
}

} // namespace ns3
