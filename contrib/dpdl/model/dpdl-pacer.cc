// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-pacer.h"

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
DpdlPacer::SetOverhead(uint32_t bytes)
{
    m_overhead = bytes;
}

Time
DpdlPacer::TimeOf(uint32_t datagrams, uint32_t bytes) const
{
    return m_rate.GetBitRate() > 0 ? m_rate.CalculateBytesTxTime(datagrams * (bytes + m_overhead))
                                   : Time(0);
}

bool
DpdlPacer::MaySend(Time ahead) const
{
    return m_rate.GetBitRate() == 0 ||
           Max(m_sentUntil, Simulator::Now()) < Simulator::Now() + ahead;
}

void
DpdlPacer::Add(uint32_t bytes)
{
    if (m_rate.GetBitRate() == 0)
    {
        return;
    }
    // A division of 128 bits, which nearly all datagrams share.
    if (m_pricedBytes != bytes)
    {
        m_pricedBytes = bytes;
        m_price = m_rate.CalculateBytesTxTime(bytes + m_overhead);
    }
    m_sentUntil = Max(m_sentUntil, Simulator::Now()) + m_price;
}

Time
DpdlPacer::WaitFor(Time left) const
{
    return Max(m_sentUntil, Simulator::Now()) - left - Simulator::Now();
}

} // namespace ns3
