// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-cutoff-loss-model.h"

#include "dpdl-type.h"

#include "ns3/box.h"
#include "ns3/building-list.h"
#include "ns3/building.h"
#include "ns3/double.h"
#include "ns3/mobility-model.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

/// Number of random streams that ns-3's condition models use. This model draws nothing, but
/// reserves as many, so a program that replaces an ns-3 model keeps the streams of all later
/// models.
constexpr int64_t CONDITION_STREAMS = 3;

bool
SeesPastBuildings(const Vector& from, const Vector& to)
{
    const auto [west, east] = std::minmax({from.x, to.x});
    const auto [south, north] = std::minmax({from.y, to.y});
    for (auto building = BuildingList::Begin(); building != BuildingList::End(); ++building)
    {
        // ns-3's intersection test is slow; skip buildings that cannot be in between.
        const Box box = (*building)->GetBoundaries();
        if (box.xMin <= east && box.xMax >= west && box.yMin <= north && box.yMax >= south &&
            (*building)->IsIntersect(from, to))
        {
            return false;
        }
    }
    return true;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DpdlCutoffLossModel);

TypeId
DpdlCutoffLossModel::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlCutoffLossModel, PropagationLossModel>("ns3::DpdlCutoffLossModel")
            .AddAttribute("Floor",
                          "Mean power below which a signal vanishes, in dBm",
                          DoubleValue(-104.0),
                          MakeDoubleAccessor(&DpdlCutoffLossModel::m_floor),
                          MakeDoubleChecker<double>());
    return tid;
}

double
DpdlCutoffLossModel::DoCalcRxPower(double meanDbm,
                                   Ptr<MobilityModel> sender,
                                   Ptr<MobilityModel> receiver) const
{
    if (meanDbm < m_floor)
    {
        return VANISHED;
    }
    const double mean = std::min(meanDbm, STRONGEST);
    return m_fading ? m_fading->CalcRxPower(mean, sender, receiver) : mean;
}

NS_OBJECT_ENSURE_REGISTERED(DpdlBuildingConditionModel);

TypeId
DpdlBuildingConditionModel::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlBuildingConditionModel, ChannelConditionModel>(
            "ns3::DpdlBuildingConditionModel")
            .AddAttribute("UpdatePeriod",
                          "How long a pair keeps its condition; 0: to the end",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DpdlBuildingConditionModel::m_updatePeriod),
                          MakeTimeChecker(Time(0)));
    return tid;
}

DpdlBuildingConditionModel::DpdlBuildingConditionModel()
    : m_seen(CreateObject<ChannelCondition>(ChannelCondition::LOS, ChannelCondition::O2O)),
      m_hidden(CreateObject<ChannelCondition>(ChannelCondition::NLOS, ChannelCondition::O2O))
{
}

Ptr<ChannelCondition>
DpdlBuildingConditionModel::GetChannelCondition(Ptr<const MobilityModel> a,
                                                Ptr<const MobilityModel> b) const
{
    const auto [low, high] =
        std::minmax({a->GetObject<Node>()->GetId(), b->GetObject<Node>()->GetId()});
    const std::size_t pair = static_cast<std::size_t>(high) * (high + 1) / 2 + low;
    if (pair >= m_looks.size())
    {
        m_looks.resize(static_cast<std::size_t>(high + 1) * (high + 2) / 2);
    }
    Look& look = m_looks[pair];
    const int64_t now = Simulator::Now().GetTimeStep();
    if (look.until < now)
    {
        look.isSeen = SeesPastBuildings(a->GetPosition(), b->GetPosition());
        look.until = m_updatePeriod.IsZero() ? std::numeric_limits<int64_t>::max()
                                             : now + m_updatePeriod.GetTimeStep();
    }
    return look.isSeen ? m_seen : m_hidden;
}

int64_t
DpdlBuildingConditionModel::AssignStreams(int64_t)
{
    return CONDITION_STREAMS;
}

} // namespace ns3
