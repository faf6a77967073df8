// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "schedule-filter.h"

#include <utility>

namespace dpdl
{

ScheduleFilter::ScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule)
    : m_schedule(std::move(schedule))
{
}

Guarantee
ScheduleFilter::Certified() const
{
    return m_schedule->Guarantees().Of(m_schedule->Made(m_next, m_skipped));
}

bool
ScheduleFilter::Take(const Release& next)
{
    const std::size_t index = m_schedule->IndexOf(next);
    if (index < m_next || !m_schedule->Holds(index, next))
    {
        return false;
    }
    std::vector<std::size_t> skipped = m_skipped;
    for (std::size_t missed = m_next; missed < index; ++missed)
    {
        skipped.push_back(missed);
    }
    if (index >= m_end)
    {
        m_end = m_schedule->End(index, skipped);
    }
    if (index >= m_end)
    {
        return false;
    }
    m_skipped = std::move(skipped);
    m_next = index + 1;
    return true;
}

} // namespace dpdl
