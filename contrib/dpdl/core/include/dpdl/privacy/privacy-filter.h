// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PRIVACY_FILTER_H
#define DPDL_PRIVACY_PRIVACY_FILTER_H

#include "dpdl/privacy/accountant.h"

#include <memory>

namespace dpdl
{

class BudgetedSchedule;

/**
 * @brief Admits the releases of one node until its privacy budget is exhausted.
 *
 * The caller calls Admit() before each release. If Admit() returns false, the release is refused:
 * the caller must not send it, and all later calls return false, even for releases that cost less.
 */
class PrivacyFilter
{
  public:
    virtual ~PrivacyFilter() = default;

    /**
     * @brief Admits the next release if it fits into the budget. An admitted release counts as
     *        made.
     * @param next the release that the node is about to send
     * @return true if the release is admitted; false if it is refused
     */
    bool Admit(const Release& next);

    /// Certified guarantee of all releases admitted so far together, with an upper bound on their
    /// epsilon: 0 before the first release. The filter of MakeRenyiFilter() reports the whole
    /// budget as epsilon once a release with a cost above 0 is admitted.
    virtual Guarantee Certified() const = 0;

  protected:
    /// Counts the next release and returns true if the release fits into the budget. If not,
    /// returns false.
    virtual bool Take(const Release& next) = 0;

  private:
    bool m_exhausted{false}; ///< true: a release was refused, so all later releases are refused
};

/**
 * @brief Makes the filter of one node for a schedule that was fixed before the run.
 *
 * The filter finds a release in the schedule by its round and noise stream
 * (BudgetedSchedule::IndexOf). Admit() returns false if the schedule has no such release, or one
 * with other parameters (BudgetedSchedule::Holds), if it has admitted the same or a later release
 * before, or if the budget does not suffice.
 * @param schedule planned releases and budget; shared by the filters of all nodes
 */
std::unique_ptr<PrivacyFilter> MakeScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule);

/**
 * @brief Makes the filter of one node whose releases may depend on its earlier releases.
 *
 * The Renyi order and the budget at this order are fixed in advance. Each release may then depend
 * on earlier releases, and the sum of the Renyi divergences still bounds the total (Feldman and
 * Zrnic, 2021). The filter uses the Renyi order at which the largest number of releases equal to @p
 * typical fits into the budget. It supports Gaussian noise without sampling, and with Poisson
 * sampling for the add-or-remove neighbouring relation. Admit() returns false for other releases.
 *
 * @param budget largest epsilon of all admitted releases, > 0
 * @param question delta and neighbouring relation
 * @param typical a typical expected release; must not depend on private data
 * @throws UsageError if budget or delta is out of range
 */
std::unique_ptr<PrivacyFilter> MakeRenyiFilter(double budget,
                                               const AccountingQuery& question,
                                               const Release& typical);

/**
 * @brief Makes the filter of one node that uses full batches and Gaussian noise. Its noise
 *        multipliers may depend on its earlier releases.
 *
 * Let mu be the sensitivity / noise standard deviation of a release. The filter admits releases
 * while the sum of their mu^2 is at most M^2, where M-Gaussian DP implies (budget, delta)-DP
 * (Koskela, Tobaben and Honkela, 2022). Admit() returns false for releases of sampled batches and
 * for other noise.
 *
 * @param budget largest epsilon of all admitted releases, > 0
 * @param question delta and neighbouring relation
 * @throws UsageError if budget or delta is out of range
 */
std::unique_ptr<PrivacyFilter> MakeGaussianFilter(double budget, const AccountingQuery& question);

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_FILTER_H
