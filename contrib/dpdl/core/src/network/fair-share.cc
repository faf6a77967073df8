// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/fair-share.h"

#include <algorithm>
#include <tuple>

namespace dpdl
{

bool
FairShare::EndsLater(const Job& a, const Job& b)
{
    return std::tie(a.end, a.order) > std::tie(b.end, b.order);
}

void
FairShare::Advance(double now)
{
    if (!m_jobs.empty())
    {
        m_virtual += (now - m_now) / static_cast<double>(m_jobs.size());
    }
    m_now = now;
}

void
FairShare::Add(double now, double work, std::uint32_t job)
{
    if (m_jobs.empty())
    {
        // Small numbers are exact numbers: nothing refers to the virtual clock of an idle resource.
        m_virtual = 0.0;
    }
    Advance(now);
    m_jobs.push_back({m_virtual + work, m_orders++, job});
    std::push_heap(m_jobs.begin(), m_jobs.end(), EndsLater);
}

double
FairShare::NextEnd() const
{
    const double left = std::max(0.0, m_jobs.front().end - m_virtual);
    return m_now + left * static_cast<double>(m_jobs.size());
}

std::uint32_t
FairShare::TakeNext(double now)
{
    const double end = m_jobs.front().end;
    Advance(now);
    m_virtual = end;
    std::pop_heap(m_jobs.begin(), m_jobs.end(), EndsLater);
    const std::uint32_t job = m_jobs.back().job;
    m_jobs.pop_back();
    return job;
}

} // namespace dpdl
