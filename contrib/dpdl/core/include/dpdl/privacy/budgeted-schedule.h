// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_BUDGETED_SCHEDULE_H
#define DPDL_PRIVACY_BUDGETED_SCHEDULE_H

#include "dpdl/privacy/accountant.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief A schedule that was fixed before the run and depends on no data, with a budget.
 *
 * As every release is known beforehand, so is the one at which the budget ends: the end is as
 * public as the schedule, and what was released up to it is an ordinary composition that any
 * certified accountant may evaluate. The end is found once, by bisection over the schedule, and
 * shared by all nodes that skipped the same releases.
 */
class BudgetedSchedule
{
  public:
    /**
     * @param releases of one node, by round and noise stream; their nodes do not matter
     * @param guarantees a certified accountant and its question
     * @param budget largest epsilon, > 0
     * @param perRound releases of every round that has any, made all or none; at least 1
     */
    BudgetedSchedule(std::vector<Release> releases,
                     std::shared_ptr<AccountantCache> guarantees,
                     double budget,
                     std::uint32_t perRound = 1);

    /**
     * @brief Finds the first release that would exceed the budget.
     * @param next the release that it is about to make
     * @param skipped earlier releases that it did not make, ascending
     * @return the first index from @p next on that belongs to a round that would exceed the budget;
     *         the number of releases if none does
     */
    std::size_t End(std::size_t next, const std::vector<std::size_t>& skipped);

    /// The releases up to @p end without the skipped ones.
    std::vector<Release> Made(std::size_t end, const std::vector<std::size_t>& skipped) const;

    /// Index of a release, by its round and its noise stream; the number of releases if it is
    /// none of them.
    std::size_t IndexOf(const Release& release) const;

    /// True if the release is the one at that index.
    bool Holds(std::size_t index, const Release& release) const;

    /// The accountant and what it has answered.
    AccountantCache& Guarantees()
    {
        return *m_guarantees;
    }

  private:
    std::vector<Release> m_releases;               ///< the schedule
    std::shared_ptr<AccountantCache> m_guarantees; ///< see Guarantees()
    double m_budget;                               ///< largest epsilon
    std::uint32_t m_perRound;                      ///< releases of a round that has any
    /// Ends found, by next release and skipped ones.
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> m_ends;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_BUDGETED_SCHEDULE_H
