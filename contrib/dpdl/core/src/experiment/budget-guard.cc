// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/budget-guard.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <cmath>

namespace dpdl
{

BudgetGuard::BudgetGuard(const LearningPlan& plan, std::size_t nodes, double budget)
    : m_plan(plan),
      m_budget(budget),
      m_haltedIn(nodes),
      m_asked(nodes, 0)
{
    const std::vector<Release> releases = plan.Releases();
    if (!HasFlag(releases.front().Flags(), ReleaseFlag::ADAPTIVE_SCHEDULE))
    {
        m_schedule = std::make_shared<BudgetedSchedule>(releases, plan.Guarantees(), budget);
    }
    for (std::size_t node = 0; node < nodes; ++node)
    {
        m_filters.push_back(MakeFilter());
    }
    if (!MakeFilter()->Admit(releases.front()))
    {
        const Guarantee first = plan.Guarantees()->Of({releases.front()});
        throw UsageError("option 'stopAt'",
                         ShowNumber(budget),
                         std::isfinite(first.epsilon)
                             ? "more than the first round alone costs, " + ShowNumber(first.epsilon)
                             : "a run whose releases are private (" + first.reason + ")");
    }
    if (m_schedule)
    {
        const std::size_t end = m_schedule->End(0, {});
        m_scheduleBound = m_schedule->Guarantees().Of(m_schedule->Made(end, {})).epsilon;
    }
}

std::unique_ptr<PrivacyFilter>
BudgetGuard::MakeFilter() const
{
    if (m_schedule)
    {
        return MakeScheduleFilter(m_schedule);
    }
    const Question& question = m_plan.Guarantees()->GetQuestion();
    return m_plan.Settings().samplingRate < 1.0
               ? MakeRenyiFilter(m_budget, question, m_plan.ReleaseOf(0, 0))
               : MakeGaussianFilter(m_budget, question);
}

bool
BudgetGuard::MayRelease(NodeId node, Round round)
{
    if (m_haltedIn[node])
    {
        return false;
    }
    m_skipped = m_skipped || m_asked[node] != round;
    ++m_asked[node];
    if (m_filters[node]->Admit(m_plan.ReleaseOf(node, round)))
    {
        return true;
    }
    m_haltedIn[node] = round;
    m_newlyHalted.push_back(node);
    return false;
}

} // namespace dpdl
