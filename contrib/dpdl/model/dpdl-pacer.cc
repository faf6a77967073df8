// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-pacer.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/simulator.h"

namespace ns3
{

void
DpdlPacer::SetRate(DataRate rate)
{
    m_rate = rate;
    m_pricedBytes = 0;
}

void
DpdlPacer::SetSlot(Time period, Time start, Time end)
{
    m_period = period;
    m_start = start;
    m_end = end;
}

Time
DpdlPacer::TimeOf(uint32_t datagrams, uint32_t bytes) const
{
    return m_rate.GetBitRate() > 0 ? m_rate.CalculateBytesTxTime(datagrams * (bytes + m_overhead))
                                   : Time(0);
}

bool
DpdlPacer::Fits(Time at, uint32_t bytes) const
{
    const Time inPeriod = m_period.IsZero() ? at : at % m_period;
    return m_period.IsZero() || (inPeriod >= m_start && inPeriod + TimeOf(1, bytes) <= m_end);
}

bool
DpdlPacer::MaySend(Time ahead, uint32_t bytes) const
{
    const Time start = Max(m_sentUntil, Simulator::Now());
    return (m_rate.GetBitRate() == 0 || start < Simulator::Now() + ahead) && Fits(start, bytes);
}

void
DpdlPacer::Add(uint32_t bytes)
{
    if (m_rate.GetBitRate() == 0)
    {
        return;
    }
    // Cache the transmission time, which costs a 128-bit division: nearly all datagrams have the
    // same size.
    if (m_pricedBytes != bytes)
    {
        m_pricedBytes = bytes;
        m_price = m_rate.CalculateBytesTxTime(bytes + m_overhead);
    }
    m_sentUntil = Max(m_sentUntil, Simulator::Now()) + m_price;
}

void
DpdlPacer::RequireFit(uint32_t bytes) const
{
    const Time longest = TimeOf(1, bytes);
    DPDL_REFUSE_IF(m_period.IsStrictlyPositive() && longest > m_end - m_start,
                   "time of a radio's slot",
                   ::dpdl::ShowRounded((m_end - m_start).GetSeconds(), 3) + "s",
                   "at least " + ::dpdl::ShowRounded(longest.GetSeconds(), 3) +
                       "s, as a datagram of " + std::to_string(bytes) +
                       " bytes takes; a smaller chunk, a longer period or fewer "
                       "nodes may do");
}

Time
DpdlPacer::Backlog() const
{
    return Max(m_sentUntil, Simulator::Now()) - Simulator::Now();
}

Time
DpdlPacer::WaitFor(Time left, uint32_t bytes) const
{
    const Time start = Max(m_sentUntil, Simulator::Now());
    if (!Fits(start, bytes))
    {
        const Time inPeriod = start % m_period;
        const Time later = inPeriod < m_start ? Time(0) : m_period;
        return start - inPeriod + later + m_start - Simulator::Now();
    }
    return start - left - Simulator::Now();
}

} // namespace ns3
