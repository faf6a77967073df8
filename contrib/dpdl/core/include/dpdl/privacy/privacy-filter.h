// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PRIVACY_FILTER_H
#define DPDL_PRIVACY_PRIVACY_FILTER_H

#include "dpdl/privacy/guarantee-cache.h"

#include <memory>
#include <vector>

namespace dpdl
{

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
     * @brief Whether the next release fits into the budget; if so, it counts as released.
     * @param next what the node is about to release
     */
    bool Admit(const Release& next);

    /// True after the first refusal.
    bool Exhausted() const
    {
        return m_exhausted;
    }

    /// What is certain of everything admitted so far.
    virtual Guarantee Certified() const = 0;

  protected:
    /// Whether the next release fits; counts it if it does.
    virtual bool Take(const Release& next) = 0;

  private:
    bool m_exhausted{false}; ///< see Exhausted()
};

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
     * @param releases of one node in the order in which they are made; their nodes do not matter
     * @param guarantees a certified accountant and its question
     * @param budget largest epsilon, > 0
     */
    BudgetedSchedule(std::vector<Release> releases,
                     std::shared_ptr<GuaranteeCache> guarantees,
                     double budget);

    /**
     * @brief How far a node may go.
     * @param next the release that it is about to make
     * @param skipped earlier releases that it did not make, ascending
     * @return the first index from @p next on that would exceed the budget; the number of releases
     *         if none does
     */
    std::size_t End(std::size_t next, const std::vector<std::size_t>& skipped);

    /// The releases up to @p end without the skipped ones.
    std::vector<Release> Made(std::size_t end, const std::vector<std::size_t>& skipped) const;

    /// Whether the release is the one that stands at that index.
    bool Holds(std::size_t index, const Release& release) const;

    /// The accountant and what it has answered.
    GuaranteeCache& Guarantees()
    {
        return *m_guarantees;
    }

  private:
    std::vector<Release> m_releases;              ///< the schedule
    std::shared_ptr<GuaranteeCache> m_guarantees; ///< see Guarantees()
    double m_budget;                              ///< largest epsilon
    /// Ends found, by next release and skipped ones.
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> m_ends;
};

/**
 * @brief The filter of one node for a schedule that was fixed before the run.
 *
 * Releases are known by their round: release k of the schedule is the one of round k. A release
 * that is not the scheduled one is refused.
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
                                               const Question& question,
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
std::unique_ptr<PrivacyFilter> MakeGaussianFilter(double budget, const Question& question);

} // namespace dpdl

#endif // DPDL_PRIVACY_PRIVACY_FILTER_H
