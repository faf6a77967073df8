// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "additive-filter.h"

#include <cstdint>
#include <limits>
#include <utility>

namespace dpdl
{

StepCounts
FilteredSteps(const Release& release)
{
    Release::Fields fields = release.Get();
    fields.flags =
        static_cast<ReleaseFlag>(static_cast<std::uint32_t>(fields.flags) &
                                 ~static_cast<std::uint32_t>(ReleaseFlag::ADAPTIVE_SCHEDULE));
    const Release plain(fields);
    // A release of an epoch is free where an earlier one was larger, which a filter cannot see.
    if (!plain.Obstacle().empty() || fields.sampler == "shuffle")
    {
        PrivacyStep unbounded;
        unbounded.mu = std::numeric_limits<double>::infinity();
        return {{unbounded, 1}};
    }
    return NormalForm({plain});
}

AdditiveFilter::AdditiveFilter(std::string name,
                               double total,
                               double budget,
                               const Question& question)
    : m_total(total)
{
    m_certified.epsilon = budget;
    m_certified.delta = question.delta;
    m_certified.accountant = std::move(name);
    m_certified.adjacency = ToString(question.adjacency);
}

Guarantee
AdditiveFilter::Certified() const
{
    Guarantee guarantee = m_certified;
    guarantee.epsilon = m_spent > 0.0 ? m_certified.epsilon : 0.0;
    return guarantee;
}

bool
AdditiveFilter::Take(const Release& next)
{
    double cost = 0.0;
    for (const auto& [step, count] : FilteredSteps(next))
    {
        cost += Cost(step) * static_cast<double>(count);
    }
    if (!(m_spent + cost <= m_total))
    {
        return false;
    }
    m_spent += cost;
    return true;
}

} // namespace dpdl
