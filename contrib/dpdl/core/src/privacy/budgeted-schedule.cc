// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/budgeted-schedule.h"

#include <algorithm>

namespace dpdl
{

namespace
{

bool
CostsTheSame(const Release& a, const Release& b)
{
    const std::optional<PrivacyStep> first = StepOf(a);
    const std::optional<PrivacyStep> second = StepOf(b);
    return !(first < second) && !(second < first);
}

} // namespace

BudgetedSchedule::BudgetedSchedule(std::vector<Release> releases,
                                   std::shared_ptr<AccountantCache> guarantees,
                                   double budget,
                                   std::uint32_t perRound)
    : m_releases(std::move(releases)),
      m_guarantees(std::move(guarantees)),
      m_budget(budget),
      m_perRound(perRound)
{
}

std::vector<Release>
BudgetedSchedule::Made(std::size_t end, const std::vector<std::size_t>& skipped) const
{
    std::vector<Release> made;
    for (std::size_t index = 0; index < end; ++index)
    {
        if (!std::binary_search(skipped.begin(), skipped.end(), index))
        {
            made.push_back(m_releases[index]);
        }
    }
    return made;
}

std::size_t
BudgetedSchedule::IndexOf(const Release& release) const
{
    const auto isBefore = [](const Release& a, const Release& b) {
        return std::pair(a.round, a.stream) < std::pair(b.round, b.stream);
    };
    const auto place = std::lower_bound(m_releases.begin(), m_releases.end(), release, isBefore);
    const bool isThere = place != m_releases.end() && !isBefore(release, *place);
    return static_cast<std::size_t>((isThere ? place : m_releases.end()) - m_releases.begin());
}

bool
BudgetedSchedule::Holds(std::size_t index, const Release& release) const
{
    return index < m_releases.size() && release.UnsupportedReason().empty() &&
           m_releases[index].UnsupportedReason().empty() &&
           CostsTheSame(release, m_releases[index]) &&
           release.sampler == m_releases[index].sampler && release.epoch == m_releases[index].epoch;
}

std::size_t
BudgetedSchedule::End(std::size_t next, const std::vector<std::size_t>& skipped)
{
    const auto [known, isNew] = m_ends.try_emplace({next, skipped}, next);
    if (!isNew)
    {
        return known->second;
    }
    const auto fits = [&](std::size_t end) {
        return m_guarantees->Of(Made(end, skipped)).epsilon <= m_budget;
    };
    if (fits(m_releases.size()))
    {
        return known->second = m_releases.size();
    }
    // Bisection over the rounds that have releases, counted from 0. The releases of the first `low`
    // of these rounds fit into the budget, and those of the first `high` exceed it.
    std::size_t low = next / m_perRound;
    std::size_t high = m_releases.size() / m_perRound;
    while (low + 1 < high)
    {
        const std::size_t middle = low + (high - low) / 2;
        (fits(middle * m_perRound) ? low : high) = middle;
    }
    return known->second = low * m_perRound;
}

} // namespace dpdl
