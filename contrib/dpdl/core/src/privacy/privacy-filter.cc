// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/privacy-filter.h"

#include "dpdl/privacy/budgeted-schedule.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Filters for adaptively chosen releases add up one cost per release (Renyi divergence or mu^2).
// The filter of a fixed schedule looks up the release at which the budget ends.

namespace dpdl
{

namespace
{

/// Steps of an adaptively chosen release, ignoring that flag; infinite mu if unsupported.
StepCounts
FilteredSteps(const Release& release)
{
    Release fields = release;
    fields.flags =
        static_cast<ReleaseFlag>(static_cast<std::uint32_t>(fields.flags) &
                                 ~static_cast<std::uint32_t>(ReleaseFlag::ADAPTIVE_SCHEDULE));
    // Within an epoch only the most revealing release counts, which a filter cannot track.
    if (!fields.UnsupportedReason().empty() || fields.HasEpochs())
    {
        PrivacyStep unbounded;
        unbounded.muAddRemove = std::numeric_limits<double>::infinity();
        return {{unbounded, 1}};
    }
    return ToStepCounts({fields});
}

/// A filter that adds up one number per release, against a budget in the same unit.
class AdditiveFilter : public PrivacyFilter
{
  public:
    /**
     * @param name of the filter in the guarantee
     * @param total budget in the filter's unit
     * @param budget the same budget as an epsilon
     * @param question delta and adjacency
     */
    AdditiveFilter(std::string name, double total, double budget, const AccountingQuery& question)
        : m_total(total)
    {
        m_certified.epsilon = budget;
        m_certified.delta = question.delta;
        m_certified.accountant = std::move(name);
        m_certified.adjacency = ToString(question.adjacency);
    }

    /// The whole budget after the first admission: a smaller value could be certified only
    /// afterwards.
    Guarantee Certified() const override
    {
        Guarantee guarantee = m_certified;
        guarantee.epsilon = m_spent > 0.0 ? m_certified.epsilon : 0.0;
        return guarantee;
    }

  protected:
    bool Take(const Release& next) override
    {
        double cost = 0.0;
        for (const auto& [step, count] : FilteredSteps(next))
        {
            cost += Cost(step) * static_cast<double>(count);
        }
        if (!(m_spent + cost <= m_total))
        {
            return false;
        }
        m_spent += cost;
        return true;
    }

    /// Cost of one step; infinity if it is not supported.
    virtual double Cost(const PrivacyStep& step) const = 0;

  private:
    Guarantee m_certified; ///< guarantee of the whole budget
    double m_total;        ///< budget in the filter's unit
    double m_spent{0.0};   ///< cost of the admitted releases
};

/// The filter of MakeGaussianFilter().
class GaussianFilter : public AdditiveFilter
{
  public:
    GaussianFilter(double budget, const AccountingQuery& question)
        : AdditiveFilter("gaussian-filter",
                         std::pow(GdpMu(budget, question.delta), 2),
                         budget,
                         question),
          m_adjacency(question.adjacency)
    {
    }

  protected:
    double Cost(const PrivacyStep& step) const override
    {
        const double shift = step.Shift(m_adjacency);
        return step.noise == NoiseKind::GAUSSIAN && step.sampling == Amplification::NONE &&
                       std::isfinite(step.muAddRemove)
                   ? shift * shift
                   : std::numeric_limits<double>::infinity();
    }

  private:
    Adjacency m_adjacency; ///< which datasets are neighbours
};

/// Renyi divergence at an order that corresponds to a budget; negative if there is none.
double
RenyiBudget(double order, double epsilon, double delta)
{
    return epsilon - RdpToEpsilon(0.0, order, delta);
}

/// Cost of one step at an order; infinity if there is no Renyi bound for it.
double
CostAt(double order, const PrivacyStep& step, Adjacency adjacency)
{
    const bool plain = step.sampling == Amplification::NONE;
    const bool poisson = step.sampling == Amplification::POISSON;
    if (step.noise != NoiseKind::GAUSSIAN || !std::isfinite(step.muAddRemove) ||
        !(plain || (poisson && adjacency == Adjacency::ADD_REMOVE)))
    {
        return std::numeric_limits<double>::infinity();
    }
    return SampledGaussianRdp(plain ? 1.0 : step.rate, step.Shift(adjacency), order);
}

/// The filter of MakeRenyiFilter().
class RenyiFilter : public AdditiveFilter
{
  public:
    /// @param order > 1, fixed before the first release
    RenyiFilter(double order, double budget, const AccountingQuery& question)
        : AdditiveFilter("rdp-filter",
                         RenyiBudget(order, budget, question.delta),
                         budget,
                         question),
          m_order(order),
          m_adjacency(question.adjacency)
    {
    }

    /// The order at which the budget admits most releases like the typical one.
    static double BestOrder(double budget, const AccountingQuery& question, const Release& typical)
    {
        constexpr double RATIO = 1.05;
        double best = 2.0;
        double most = 0.0;
        for (double excess = 0.05; excess < 1e4; excess *= RATIO)
        {
            double cost = 0.0;
            for (const auto& entry : FilteredSteps(typical))
            {
                cost += CostAt(1.0 + excess, entry.first, question.adjacency);
            }
            const double fitting = RenyiBudget(1.0 + excess, budget, question.delta) / cost;
            if (fitting > most)
            {
                most = fitting;
                best = 1.0 + excess;
            }
        }
        return best;
    }

  protected:
    double Cost(const PrivacyStep& step) const override
    {
        return CostAt(m_order, step, m_adjacency);
    }

  private:
    double m_order;        ///< fixed before the first release
    Adjacency m_adjacency; ///< which datasets are neighbours
};

/// The filter of MakeScheduleFilter().
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
    std::shared_ptr<BudgetedSchedule> m_schedule; ///< shared by all nodes
    std::vector<std::size_t> m_skipped; ///< indices of scheduled releases that were not made
    std::size_t m_next{0};              ///< index of the next possible release
    std::size_t m_end{0};               ///< releases before this index fit
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
    const double order = RenyiFilter::BestOrder(budget, question, typical);
    return std::make_unique<RenyiFilter>(order, budget, question);
}

std::unique_ptr<PrivacyFilter>
MakeGaussianFilter(double budget, const AccountingQuery& question)
{
    CheckTarget(budget, question.delta);
    return std::make_unique<GaussianFilter>(budget, question);
}

} // namespace dpdl
