// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-shared-serializer.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

DpdlSharedSerializer::DpdlSharedSerializer(std::function<void(uint32_t)> done)
    : m_done(std::move(done))
{
}

DpdlSharedSerializer::~DpdlSharedSerializer()
{
    m_event.Cancel();
}

void
DpdlSharedSerializer::Add(Time duration, Time packet, uint32_t message)
{
    m_share.Add(Simulator::Now().GetSeconds(), duration.GetSeconds(), message, packet.GetSeconds());
    ++m_messages;
    Reschedule();
}

void
DpdlSharedSerializer::Reschedule()
{
    m_event.Cancel();
    if (!m_share.IsEmpty())
    {
        const Time wait = Max(Seconds(m_share.NextEnd()) - Simulator::Now(), Time(0));
        m_event = Simulator::Schedule(wait, &DpdlSharedSerializer::End, this);
    }
}

void
DpdlSharedSerializer::End()
{
    const uint32_t message = m_share.TakeNext(Simulator::Now().GetSeconds());
    --m_messages;
    Reschedule();
    m_done(message);
}

} // namespace ns3
