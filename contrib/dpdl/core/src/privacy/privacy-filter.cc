// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/privacy-filter.h"

#include "dpdl/privacy/budgeted-schedule.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/rdp.h"
#include "normal-tail.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// Privacy filters. A filter for adaptively chosen releases adds up one cost per release (Renyi
// divergence or mu^2). The filter of a fixed schedule finds the first release that exceeds the
// budget.

namespace dpdl
{

namespace
{

/// Returns the cost of one step in the filter's unit (Renyi divergence or mu^2); infinity if the
/// filter does not support the step.
using StepCost = std::function<double(const PrivacyStep& step)>;

/// Cost, in the filter's unit, of an adaptively chosen release. The flag ADAPTIVE_SCHEDULE is
/// ignored. Infinity if the release is unsupported for any other reason.
double
CostOf(const Release& release, const StepCost& stepCost)
{
    Release fields = release;
    fields.flags =
        static_cast<ReleaseFlag>(static_cast<std::uint32_t>(fields.flags) &
                                 ~static_cast<std::uint32_t>(ReleaseFlag::ADAPTIVE_SCHEDULE));
    // With epochs, only the most revealing release of an epoch would have to count. AdditiveFilter
    // does not track epochs, so it does not support such releases.
    if (!fields.UnsupportedReason().empty() || fields.HasEpochs())
    {
        return INF;
    }
    const std::optional<PrivacyStep> step = StepOf(fields);
    return step ? stepCost(*step) : 0.0;
}

/// A filter that adds up the costs of releases (Renyi divergence or mu^2) and compares the sum with
/// a budget in the same unit.
class AdditiveFilter : public PrivacyFilter
{
  public:
    /**
     * @param name name of the filter; Guarantee::accountant reports it
     * @param budget largest epsilon of all admitted releases together
     * @param question delta and neighbouring relation
     * @param total the budget as a cost, in the unit of @p cost
     * @param cost returns the cost of a step: its Renyi divergence or mu^2
     */
    AdditiveFilter(std::string name,
                   double budget,
                   const AccountingQuery& question,
                   double total,
                   StepCost cost)
        : m_total(total),
          m_cost(std::move(cost))
    {
        m_certified.epsilon = budget;
        m_certified.delta = question.delta;
        m_certified.accountant = std::move(name);
        m_certified.adjacency = ToString(question.adjacency);
    }

    /// Returns epsilon 0 until a release with a cost above 0 is admitted, and the whole budget
    /// afterwards. The filter's proof is for the budget that was fixed in advance, so no smaller
    /// epsilon is certified.
    Guarantee Certified() const override
    {
        Guarantee guarantee = m_certified;
        guarantee.epsilon = m_spent > 0.0 ? m_certified.epsilon : 0.0;
        return guarantee;
    }

  protected:
    bool Take(const Release& next) override
    {
        const double cost = CostOf(next, m_cost);
        const bool fits = m_spent + cost <= m_total;
        m_spent += fits ? cost : 0.0;
        return fits;
    }

  private:
    Guarantee m_certified; ///< guarantee of the whole budget
    double m_total;        ///< budget as a cost, in the unit of m_cost
    double m_spent{0.0};   ///< cost of all admitted releases together
    StepCost m_cost;       ///< returns the cost of one step: its Renyi divergence or mu^2
};

/// Largest Renyi divergence, at the Renyi order @p order, that implies an epsilon of at most @p
/// epsilon. Negative if even a divergence of 0 implies a larger epsilon.
double
RenyiBudget(double order, double epsilon, double delta)
{
    return epsilon - RdpToEpsilon(0.0, order, delta);
}

/// Returns a function that computes the Renyi divergence of one Gaussian step at the Renyi order @p
/// order. The function returns infinity for steps that the filter does not support.
StepCost
RenyiCost(double order, Adjacency adjacency)
{
    return [=](const PrivacyStep& step) {
        const bool plain = step.sampling == Amplification::NONE;
        const bool poisson = step.sampling == Amplification::POISSON;
        return step.noise == NoiseKind::GAUSSIAN &&
                       (plain || (poisson && adjacency == Adjacency::ADD_REMOVE))
                   ? SampledGaussianRdp(plain ? 1.0 : step.rate, step.Shift(adjacency), order)
                   : INF;
    };
}

/// Finds the Renyi order at which the budget admits the largest number of releases that equal
/// @p typical.
double
BestOrder(double budget, const AccountingQuery& question, const Release& typical)
{
    constexpr double RATIO = 1.05;
    double best = 2.0;
    double most = 0.0;
    for (double excess = 0.05; excess < 1e4; excess *= RATIO)
    {
        const double order = 1.0 + excess;
        const double fitting = RenyiBudget(order, budget, question.delta) /
                               CostOf(typical, RenyiCost(order, question.adjacency));
        if (fitting > most)
        {
            most = fitting;
            best = order;
        }
    }
    return best;
}

/// Filter for a fixed schedule of releases, made by MakeScheduleFilter().
class ScheduleFilter : public PrivacyFilter
{
  public:
    explicit ScheduleFilter(std::shared_ptr<BudgetedSchedule> schedule)
        : m_schedule(std::move(schedule))
    {
    }

    Guarantee Certified() const override
    {
        return m_schedule->Guarantees().Of(m_schedule->Made(m_next, m_skipped));
    }

  protected:
    bool Take(const Release& next) override
    {
        const std::size_t index = m_schedule->IndexOf(next);
        if (index < m_next || !m_schedule->Holds(index, next))
        {
            return false;
        }
        std::vector<std::size_t> skipped = m_skipped;
        for (std::size_t missed = m_next; missed < index; ++missed)
        {
            skipped.push_back(missed);
        }
        if (index >= m_end)
        {
            m_end = m_schedule->End(index, skipped);
        }
        if (index >= m_end)
        {
            return false;
        }
        m_skipped = std::move(skipped);
        m_next = index + 1;
        return true;
    }

  private:
    /// Finds the first release that exceeds the budget; shared by all nodes.
    std::shared_ptr<BudgetedSchedule> m_schedule;
    /// Indices of scheduled releases that the node skipped, ascending.
    std::vector<std::size_t> m_skipped;
    std::size_t m_next{0}; ///< smallest index that the next release may have
    std::size_t m_end{0};  ///< all releases with a smaller index are known to fit into the budget
};

} // namespace

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
MakeRenyiFilter(double budget, const AccountingQuery& question, const Release& typical)
{
    CheckTarget(budget, question.delta);
    const double order = BestOrder(budget, question, typical);
    return std::make_unique<AdditiveFilter>("rdp-filter",
                                            budget,
                                            question,
                                            RenyiBudget(order, budget, question.delta),
                                            RenyiCost(order, question.adjacency));
}

std::unique_ptr<PrivacyFilter>
MakeGaussianFilter(double budget, const AccountingQuery& question)
{
    CheckTarget(budget, question.delta);
    const auto cost = [adjacency = question.adjacency](const PrivacyStep& step) {
        const double shift = step.Shift(adjacency);
        return step.noise == NoiseKind::GAUSSIAN && step.sampling == Amplification::NONE
                   ? shift * shift
                   : INF;
    };
    const double total = std::pow(GdpMu(budget, question.delta), 2);
    return std::make_unique<AdditiveFilter>("gaussian-filter", budget, question, total, cost);
}

} // namespace dpdl
