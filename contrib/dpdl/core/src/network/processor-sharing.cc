// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/processor-sharing.h"

#include <algorithm>
#include <tuple>

namespace dpdl
{

bool
ProcessorSharing::EndsLater(const Job& a, const Job& b)
{
    return std::tie(a.end, a.order) > std::tie(b.end, b.order);
}

void
ProcessorSharing::Add(double now, double work, std::uint32_t job, double quantum)
{
    // Resets the virtual clock of an idle resource, because small values have smaller rounding
    // errors.
    m_virtual =
        m_jobs.empty() ? 0.0 : m_virtual + (now - m_now) / static_cast<double>(m_jobs.size());
    m_now = now;
    m_jobs.push_back({m_virtual + work, m_orders++, job, quantum});
    std::push_heap(m_jobs.begin(), m_jobs.end(), EndsLater);
}

double
ProcessorSharing::NextEnd() const
{
    const Job& next = m_jobs.front();
    const double left = (next.end - m_virtual) * static_cast<double>(m_jobs.size());
    const auto behind = std::count_if(m_jobs.begin(), m_jobs.end(), [&next](const Job& job) {
        return job.order > next.order;
    });
    return m_now + std::max(0.0, left - next.quantum * static_cast<double>(behind));
}

std::uint32_t
ProcessorSharing::TakeNext(double now)
{
    const Job next = m_jobs.front();
    std::pop_heap(m_jobs.begin(), m_jobs.end(), EndsLater);
    m_jobs.pop_back();
    if (!m_jobs.empty())
    {
        // Since the last change, the finished job got next.end - m_virtual seconds of service. The
        // remaining jobs shared the remaining time equally.
        const auto others = static_cast<double>(m_jobs.size());
        m_virtual += ((now - m_now) - (next.end - m_virtual)) / others;
    }
    m_now = now;
    return next.job;
}

} // namespace dpdl
