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
 * @brief Admits the releases of one node as long as its privacy budget lasts.
 *
 * It is asked before each release. What it refuses must not be released; from then on it refuses
 * everything, so that a smaller release later is no way around it.
 */
class PrivacyFilter
{
  public:
    virtual ~PrivacyFilter() = default;

    /**
     * @brief Admits the next release if it fits into the budget; it then counts as released.
     * @param next the release
     */
    bool Admit(const Release& next);

    /// True after the first refusal.
    bool Exhausted() const
    {
        return m_exhausted;
    }

    /// Certified guarantee of all admitted releases.
    virtual Guarantee Certified() const = 0;

  protected:
    /// Counts the next release if it fits; false if it does not.
    virtual bool Take(const Release& next) = 0;

  private:
    bool m_exhausted{false}; ///< see Exhausted()
};

/**
 * @brief The filter of one node for a schedule that was fixed before the run.
 *
 * Releases are known by their place (BudgetedSchedule::IndexOf). A release that is not the
 * scheduled one is refused.
 * @param schedule shared by the filters of all nodes
 */
std::unique_ptr<PrivacyFilter> MakeScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule);

/**
 * @brief The filter of one node whose next release may depend on its earlier ones.
 *
 * With one order and one Renyi budget fixed beforehand, the sum of the releases' Renyi divergences
 * at that order may be steered by what was released before and the bound still holds (Feldman and
 * Zrnic, 2021). The order is the one at which most releases like @p typical fit, which may depend
 * on nothing private. Accepts Gaussian noise with Poisson sampling (add/remove
 * adjacency) or without sampling.
 *
 * @param budget largest epsilon, > 0
 * @param question delta and adjacency
 * @param typical what releases are expected to look like
 * @throws UsageError if budget or delta is out of range
 */
std::unique_ptr<PrivacyFilter> MakeRenyiFilter(double budget,
                                               const AccountingQuery& question,
                                               const Release& typical);

/**
 * @brief The filter of one node that adds Gaussian noise to full batches, with steps that may
 *        depend on its earlier releases.
 *
 * The sum of mu^2 may be steered as long as it stays below the mu^2 of the budget (Koskela, Tobaben
 * and Honkela, 2022). Releases of sampled batches are refused.
 *
 * @param budget largest epsilon, > 0
 * @param question delta and adjacency
 * @throws UsageError if budget or delta is out of range
 */
std::unique_ptr<PrivacyFilter> MakeGaussianFilter(double budget, const AccountingQuery& question);

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_FILTER_H
