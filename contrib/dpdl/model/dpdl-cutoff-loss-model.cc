// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-cutoff-loss-model.h"

#include "ns3/double.h"
#include "ns3/mobility-model.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlCutoffLossModel);

TypeId
DpdlCutoffLossModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlCutoffLossModel")
                            .SetParent<PropagationLossModel>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlCutoffLossModel>()
                            .AddAttribute("Floor",
                                          "Mean power below which a signal vanishes, in dBm",
                                          DoubleValue(-104.0),
                                          MakeDoubleAccessor(&DpdlCutoffLossModel::m_floor),
                                          MakeDoubleChecker<double>());
    return tid;
}

void
DpdlCutoffLossModel::DoDispose()
{
    m_fading = nullptr;
    PropagationLossModel::DoDispose();
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

int64_t
DpdlCutoffLossModel::DoAssignStreams(int64_t stream)
{
    return m_fading ? m_fading->AssignStreams(stream) : 0;
}

} // namespace ns3
