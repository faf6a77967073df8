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
 * @brief Planned releases of a node with a privacy budget, fixed before the run and independent of
 *        the data.
 *
 * All releases are known in advance, so the first release that exceeds the budget is public. The
 * releases before it form an ordinary composition, which any certified accountant can evaluate. A
 * bisection finds this first release. Nodes that skipped the same releases share the result.
 */
class BudgetedSchedule
{
  public:
    /**
     * @param releases planned releases of one node, ascending by round, then noise stream; their
     *        node numbers are ignored
     * @param guarantees cache of a certified accountant, with its query
     * @param budget largest epsilon of all admitted releases together, > 0
     * @param perRound number of releases in each round that has releases, at least 1. Either all or
     *        none of a round's releases are admitted.
     */
    BudgetedSchedule(std::vector<Release> releases,
                     std::shared_ptr<AccountantCache> guarantees,
                     double budget,
                     std::uint32_t perRound = 1);

    /**
     * @brief Finds the first release that would exceed the budget.
     * @param next index of the next release in the schedule, from 0
     * @param skipped indices of earlier releases that were not made, ascending
     * @return index of the first release of the earliest round whose releases raise the epsilon of
     *         all releases made above the budget. The search begins with the round of @p next. If
     *         no round exceeds the budget, the number of releases
     */
    std::size_t End(std::size_t next, const std::vector<std::size_t>& skipped);

    /// Scheduled releases with an index below @p end, except those with an index in @p skipped.
    /// @param skipped indices, ascending
    std::vector<Release> Made(std::size_t end, const std::vector<std::size_t>& skipped) const;

    /// Index of the scheduled release with the round and noise stream of @p release; the number of
    /// releases if there is none.
    std::size_t IndexOf(const Release& release) const;

    /// True if the scheduled release at @p index has the same privacy cost, sampler and epoch as @p
    /// release, and both are supported. False if @p index is out of range.
    bool Holds(std::size_t index, const Release& release) const;

    /// Cache of the certified accountant, with its query.
    AccountantCache& Guarantees()
    {
        return *m_guarantees;
    }

  private:
    std::vector<Release> m_releases; ///< planned releases, ascending by round, then noise stream
    /// Cache of the certified accountant, with its query.
    std::shared_ptr<AccountantCache> m_guarantees;
    double m_budget;          ///< largest epsilon of all admitted releases together
    std::uint32_t m_perRound; ///< number of releases in each round that has releases
    /// Cached results of End(); key: its arguments (next, skipped).
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> m_ends;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_BUDGETED_SCHEDULE_H
