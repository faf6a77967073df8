// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-receive-gate.h"

#include "ns3/pointer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlReceiveGate);

TypeId
DpdlReceiveGate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlReceiveGate")
                            .SetParent<Object>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlReceiveGate>()
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

void
DpdlReceiveGate::DoDispose()
{
    m_model = nullptr;
    Object::DoDispose();
}

} // namespace ns3
