// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/calibration.h"

#include "accountants.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>

// Calibration of the noise: finds the common factor on all mu (the scale) at which an accountant's
// epsilon equals a target. ScaleSearch brackets the logarithm of the scale, then applies the TOMS
// 748 root finder.

namespace dpdl
{

namespace
{

void
CheckShape(const ScheduleShape& shape)
{
    DPDL_REFUSE_IF(shape.mu.size() != shape.rate.size() || shape.mu.empty(),
                   "a schedule to calibrate needs at least one step, and one sampling rate "
                   "per step");
    bool spends = false;
    for (std::size_t k = 0; k < shape.mu.size(); ++k)
    {
        DPDL_REFUSE_IF(!std::isfinite(shape.mu[k]) || shape.mu[k] < 0.0,
                       "step " + std::to_string(k) + " of the schedule",
                       ShowNumber(shape.mu[k]),
                       "a finite strength of at least 0");
        DPDL_REFUSE_IF(!(shape.rate[k] > 0.0 && shape.rate[k] <= 1.0),
                       "sampling rate of step " + std::to_string(k),
                       ShowNumber(shape.rate[k]),
                       "a probability in (0, 1]");
        spends = spends || shape.mu[k] > 0.0;
    }
    DPDL_REFUSE_IF(!spends, "a schedule to calibrate needs a step whose strength is above 0");
}

StepCounts
Scaled(const StepCounts& steps, double scale)
{
    StepCounts scaled;
    for (const auto& [step, count] : steps)
    {
        PrivacyStep changed = step;
        changed.muAddRemove *= scale;
        changed.muReplace *= scale;
        scaled[changed] += count;
    }
    return scaled;
}

/// First guess of the scale, > 0, by the central-limit formula. The formula is applied as if every
/// step had the largest mu of all steps, so it can be solved without a search.
double
FirstGuess(const StepCounts& steps, double epsilon, const AccountingQuery& question)
{
    double sumOfSquares = 0.0;
    double largest = 0.0;
    for (const auto& [step, count] : steps)
    {
        sumOfSquares += static_cast<double>(count) * step.rate * step.rate;
        largest = std::max(largest, step.Shift(question.adjacency));
    }
    const double total = GdpMu(epsilon, question.delta);
    return std::sqrt(std::log1p(total * total / sumOfSquares)) / largest;
}

/// Finds the largest factor on the mu of all steps at which an accountant's epsilon does not exceed
/// a target. The accountant and the steps must outlive this object.
class ScaleSearch
{
  public:
    ScaleSearch(const Accountant& accountant,
                const StepCounts& steps,
                double target,
                const AccountingQuery& question)
        : m_accountant(accountant),
          m_steps(steps),
          m_target(target),
          m_question(question)
    {
    }

    double Find(double guess)
    {
        double low = std::log(guess);
        double atLow = Excess(low);
        double high = low;
        double atHigh = atLow;
        double step = 0.1;
        for (int i = 0; atLow > 0.0; ++i, step *= 2.0)
        {
            CheckReach(i, low - step);
            high = low;
            atHigh = atLow;
            low -= step;
            atLow = Excess(low);
        }
        for (int i = 0; atHigh <= 0.0 && m_best < CLOSE; ++i, step *= 2.0)
        {
            CheckReach(i, high + step);
            low = high;
            atLow = atHigh;
            high += step;
            atHigh = Excess(high);
        }
        if (m_best < CLOSE)
        {
            Refine(low, high, atLow, atHigh);
        }
        return m_bestScale;
    }

  private:
    /// The search stops once log(epsilon / target) is in [CLOSE, 0].
    static constexpr double CLOSE = -5e-7;

    /// Evaluates the accountant with every mu multiplied by exp(@p logScale). Returns log(epsilon /
    /// target), clamped to [-50, 50] for the root finder.
    double Excess(double logScale)
    {
        const double scale = WithoutLastDigits(std::exp(logScale));
        const Guarantee guarantee = m_accountant.Evaluate(Scaled(m_steps, scale), m_question);
        m_reason = guarantee.reason;
        const double excess = std::clamp(std::log(guarantee.epsilon / m_target), -50.0, 50.0);
        if (excess <= 0.0 && excess > m_best)
        {
            m_best = excess;
            m_bestScale = scale;
        }
        return excess;
    }

    void Refine(double low, double high, double atLow, double atHigh)
    {
        const auto close = [this](double a, double b) {
            return m_best >= CLOSE || std::abs(b - a) < 1e-13;
        };
        std::uintmax_t iterations = 100;
        boost::math::tools::toms748_solve([this](double x) { return Excess(x); },
                                          low,
                                          high,
                                          atLow,
                                          atHigh,
                                          close,
                                          iterations);
    }

    void CheckReach(int attempt, double logScale) const
    {
        constexpr int MOST = 24;
        DPDL_REFUSE_IF(attempt == MOST || std::abs(logScale) > 600.0,
                       "option 'epsilon'",
                       ShowNumber(m_target),
                       "a target that the accountant '" + m_accountant.Name() +
                           "' can confirm for this schedule" +
                           (m_reason.empty() ? "" : " (" + m_reason + ")"));
    }

    const Accountant& m_accountant;
    const StepCounts& m_steps;
    double m_target;
    AccountingQuery m_question;
    double m_best{-100.0}; ///< Excess() at m_bestScale; -100 until a scale meets the target
    /// Scale whose epsilon is the largest so far that does not exceed the target.
    double m_bestScale{0.0};
    /// Reason for an infinite epsilon in the last evaluation; "" if epsilon was finite.
    std::string m_reason;
};

} // namespace

double
WithoutLastDigits(double scale)
{
    constexpr int BITS = 24;
    int exponent = 0;
    const double mantissa = std::frexp(scale, &exponent);
    return std::ldexp(std::floor(std::ldexp(mantissa, BITS)), exponent - BITS);
}

void
CheckDelta(double delta)
{
    DPDL_REFUSE_IF(!(delta > 0.0 && delta < 1.0),
                   "option 'delta'",
                   ShowNumber(delta),
                   "a number in (0, 1)");
}

void
CheckTarget(double epsilon, double delta)
{
    // A larger target epsilon is refused: it protects nothing, and the search for its scale would
    // take long.
    constexpr double MOST = 1e9;
    DPDL_REFUSE_IF(!(epsilon > 0.0 && epsilon <= MOST),
                   "option 'epsilon'",
                   ShowNumber(epsilon),
                   "a number above 0, at most 1e9");
    CheckDelta(delta);
}

double
CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta)
{
    CheckTarget(epsilon, delta);
    CheckShape(shape);
    return CltScale(GdpMu(epsilon, delta), shape.mu, shape.rate);
}

double
CalibrateSteps(const Accountant& accountant,
               const StepCounts& steps,
               double epsilon,
               const AccountingQuery& question)
{
    CheckTarget(epsilon, question.delta);
    const auto spends = [&question](const auto& entry) {
        return entry.first.Shift(question.adjacency) > 0.0;
    };
    DPDL_REFUSE_IF(std::none_of(steps.begin(), steps.end(), spends),
                   "a schedule to calibrate needs a step whose strength is above 0");
    return ScaleSearch(accountant, steps, epsilon, question)
        .Find(FirstGuess(steps, epsilon, question));
}

} // namespace dpdl
