// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-fair-serialiser.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

DpdlFairSerialiser::DpdlFairSerialiser(std::function<void(uint32_t)> done)
    : m_done(std::move(done))
{
}

DpdlFairSerialiser::~DpdlFairSerialiser()
{
    m_event.Cancel();
}

void
DpdlFairSerialiser::Add(Time duration, Time packet, uint32_t message)
{
    m_share.Add(Simulator::Now().GetSeconds(), duration.GetSeconds(), message, packet.GetSeconds());
    ++m_messages;
    Reschedule();
}

void
DpdlFairSerialiser::Reschedule()
{
    m_event.Cancel();
    if (!m_share.IsEmpty())
    {
        const Time wait = Max(Seconds(m_share.NextEnd()) - Simulator::Now(), Time(0));
        m_event = Simulator::Schedule(wait, &DpdlFairSerialiser::End, this);
    }
}

void
DpdlFairSerialiser::End()
{
    const uint32_t message = m_share.TakeNext(Simulator::Now().GetSeconds());
    --m_messages;
    Reschedule();
    m_done(message);
}

} // namespace ns3
