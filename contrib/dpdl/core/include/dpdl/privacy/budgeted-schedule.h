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
 * @brief A schedule with a privacy budget, fixed before the run and independent of the data.
 *
 * All releases are known in advance, so the release that exhausts the budget is public too. The
 * releases before it form an ordinary composition that any certified accountant can evaluate. A
 * bisection over the schedule finds the first release that exceeds the budget. Nodes that skipped
 * the same releases share the result.
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
     * @param next index in the schedule of the next release, 0-based
     * @param skipped indices of earlier releases that were not made, ascending
     * @return index of the first release of the first round, from that of @p next on, with which
     *         epsilon exceeds the budget; the number of releases if there is no such round
     */
    std::size_t End(std::size_t next, const std::vector<std::size_t>& skipped);

    /// Scheduled releases with an index below @p end, except those with an index in @p skipped
    /// (ascending).
    std::vector<Release> Made(std::size_t end, const std::vector<std::size_t>& skipped) const;

    /// Index of the release with the same round and noise stream; the number of releases if none
    /// matches.
    std::size_t IndexOf(const Release& release) const;

    /// True if the release at @p index has the cost, sampler and epoch of @p release, and both are
    /// supported. False if the index is out of range.
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
    double m_budget;          ///< largest epsilon of the admitted releases together
    std::uint32_t m_perRound; ///< number of releases in each round that has releases
    /// Results of End(), by its arguments.
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> m_ends;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_BUDGETED_SCHEDULE_H
