// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-air-bytes.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlAirBytes);

TypeId
DpdlAirBytes::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlAirBytes")
                            .SetParent<Object>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlAirBytes>();
    return tid;
}

} // namespace ns3
