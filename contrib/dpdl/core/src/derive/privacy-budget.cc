// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/privacy-budget.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Submits the releases to the filter, in order, until one is refused. The releases before it still
/// count as made.
/// @return true if the filter admitted all of them
bool
AdmitAll(PrivacyFilter& filter, const std::vector<Release>& releases)
{
    return std::all_of(releases.begin(), releases.end(), [&filter](const Release& release) {
        return filter.Admit(release);
    });
}

/// Planned releases of the first round in which @p node releases; empty if the node never releases.
std::vector<Release>
FirstReleases(const LearningPlan& plan, NodeId node)
{
    std::vector<Release> first;
    for (Round round = 0; round < plan.Rounds() && first.empty(); ++round)
    {
        first = plan.ReleasesOf(node, round);
    }
    return first;
}

} // namespace

PrivacyBudget::PrivacyBudget(const LearningPlan& plan, std::size_t nodes, double budget)
    : m_plan(plan),
      m_budget(budget),
      m_haltedIn(nodes),
      m_asked(nodes, 0)
{
    for (const NodeId node : plan.Representatives())
    {
        AddKind(node);
    }
    for (NodeId node = 0; node < nodes; ++node)
    {
        m_filters.push_back(MakeFilter(node));
    }
}

void
PrivacyBudget::AddKind(NodeId node)
{
    Kind& kind = m_kinds[&m_plan.Of(node)];
    const std::vector<Release> first = FirstReleases(m_plan, node);
    if (first.empty() || !HasFlag(first.front().flags, ReleaseFlag::ADAPTIVE_SCHEDULE))
    {
        kind.schedule = std::make_shared<BudgetedSchedule>(
            m_plan.Releases(node),
            m_plan.Guarantees(),
            m_budget,
            static_cast<std::uint32_t>(std::max<std::size_t>(1, first.size())));
    }
    if (!AdmitAll(*MakeFilter(node), first))
    {
        const Guarantee cost = m_plan.Guarantees()->Of(first);
        throw UsageError("option 'stopAt'",
                         ShowNumber(m_budget),
                         std::isfinite(cost.epsilon)
                             ? "more than the first round alone costs, " + ShowNumber(cost.epsilon)
                             : "a run whose releases are private (" + cost.reason + ")");
    }
    if (kind.schedule)
    {
        const std::size_t end = kind.schedule->End(0, {});
        kind.bound = m_plan.Guarantees()->Of(kind.schedule->Made(end, {})).epsilon;
    }
}

std::unique_ptr<PrivacyFilter>
PrivacyBudget::MakeFilter(NodeId node) const
{
    const NodePlan& plan = m_plan.Of(node);
    const Kind& kind = m_kinds.at(&plan);
    if (kind.schedule)
    {
        return MakeScheduleFilter(kind.schedule);
    }
    const AccountingQuery& question = m_plan.Guarantees()->GetQuestion();
    return plan.Terms().samplingRate < 1.0
               ? MakeRenyiFilter(m_budget, question, FirstReleases(m_plan, node).front())
               : MakeGaussianFilter(m_budget, question);
}

double
PrivacyBudget::Bound(NodeId node) const
{
    const Kind& kind = m_kinds.at(&m_plan.Of(node));
    return kind.schedule && !m_skipped ? kind.bound : m_budget;
}

bool
PrivacyBudget::MayRelease(NodeId node, Round round)
{
    if (m_haltedIn[node])
    {
        return false;
    }
    m_skipped = m_skipped || m_asked[node] != round;
    ++m_asked[node];
    if (AdmitAll(*m_filters[node], m_plan.ReleasesOf(node, round)))
    {
        return true;
    }
    m_haltedIn[node] = round;
    m_newlyHalted.push_back(node);
    return false;
}

} // namespace dpdl
