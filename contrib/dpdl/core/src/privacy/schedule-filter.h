// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SCHEDULE_FILTER_H
#define DPDL_PRIVACY_SCHEDULE_FILTER_H

#include "dpdl/privacy/budgeted-schedule.h"
#include "dpdl/privacy/privacy-filter.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/// See MakeScheduleFilter.
class ScheduleFilter : public PrivacyFilter
{
  public:
    explicit ScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule);

    Guarantee Certified() const override;

  protected:
    bool Take(const Release& next) override;

  private:
    std::shared_ptr<BudgetedSchedule> m_schedule; ///< shared by all nodes
    std::vector<std::size_t> m_skipped;           ///< releases that were not made
    std::size_t m_next{0};                        ///< the first release that is still to come
    std::size_t m_end{0};                         ///< releases before this one fit
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SCHEDULE_FILTER_H
