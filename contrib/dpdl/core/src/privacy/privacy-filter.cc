// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/privacy-filter.h"

#include "dpdl/privacy/calibration.h"
#include "gaussian-filter.h"
#include "renyi-filter.h"
#include "schedule-filter.h"

#include <utility>

namespace dpdl
{

bool
PrivacyFilter::Admit(const Release& next)
{
    m_exhausted = m_exhausted || !Take(next);
    return !m_exhausted;
}

std::unique_ptr<PrivacyFilter>
MakeScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule)
{
    return std::make_unique<ScheduleFilter>(std::move(schedule));
}

std::unique_ptr<PrivacyFilter>
MakeRenyiFilter(double budget, const Question& question, const Release& typical)
{
    CheckTarget(budget, question.delta);
    const double order = RenyiFilter::BestOrder(budget, question, typical);
    return std::make_unique<RenyiFilter>(order, budget, question);
}

std::unique_ptr<PrivacyFilter>
MakeGaussianFilter(double budget, const Question& question)
{
    CheckTarget(budget, question.delta);
    return std::make_unique<GaussianFilter>(budget, question);
}

} // namespace dpdl
