// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/contour.h"

#include "accountants.h"
#include "inversion-line.h"
#include "numbers.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Two lines agree if log delta differs by less, times what it costs in epsilon.
constexpr double AGREEMENT = 1e-9;
/// Chebyshev nodes that stand for many values of mu, on the first line and on the second.
constexpr int FEW_NODES = 24;
constexpr int MORE_NODES = 30;
/// Lines that are tried, each with a better guess of the result.
constexpr int MOST_LINES = 6;

/// The smallest value of a function with one minimum on (0, inf): where it is, and the value.
template <typename Function>
std::pair<double, double>
MinimiseOverPositive(Function function)
{
    const auto f = [&function](double logC) { return function(std::exp(logC)); };
    const double step = 1.0;
    double middle = 0.0;
    double atMiddle = f(middle);
    const double sign = f(middle + step) < atMiddle ? 1.0 : -1.0;
    for (int i = 0; i < 60; ++i)
    {
        const double next = f(middle + sign * step);
        if (!(next < atMiddle))
        {
            break;
        }
        middle += sign * step;
        atMiddle = next;
    }
    const auto best = boost::math::tools::brent_find_minima(f, middle - step, middle + step, 24);
    return {std::exp(best.first), best.second};
}

/// epsilon >= 0, near a guess, at which the line gives delta; 0 if there is none.
double
RootOnLine(const InversionLine& line, double logDelta, double guess)
{
    const auto excess = [&line, logDelta](double epsilon) {
        return std::max(line.LogDelta(epsilon), -1e4) - logDelta;
    };
    double low = guess;
    double high = guess;
    double atLow = excess(guess);
    double atHigh = atLow;
    for (double step = 0.05 * guess; low > 0.0 && !(atLow > 0.0); step *= 2.0)
    {
        low = std::max(low - step, 0.0);
        atLow = excess(low);
    }
    for (double step = 1e-6 * guess; atHigh > 0.0 && high < 2.0 * guess; step *= 4.0)
    {
        high += step;
        atHigh = excess(high);
    }
    if (!(atLow > 0.0 && atHigh < 0.0))
    {
        return atLow > 0.0 ? high : 0.0;
    }
    const boost::math::tools::eps_tolerance<double> close;
    std::uintmax_t iterations = 60;
    const auto bracket =
        boost::math::tools::toms748_solve(excess, low, high, atLow, atHigh, close, iterations);
    return 0.5 * (bracket.first + bracket.second);
}

/// The privacy curve of a composition in one direction, each answer from two lines that agree.
class InvertedCurve
{
  public:
    /**
     * @param steps sampled steps
     * @param fullMuSquared sum of mu^2 over the steps without sampling; > 0 if there are no others
     * @param remove direction
     */
    InvertedCurve(const SampledSteps& steps, double fullMuSquared, bool remove)
        : m_first(steps, fullMuSquared, remove, FEW_NODES),
          m_second(steps, fullMuSquared, remove, MORE_NODES)
    {
    }

    /**
     * @param epsilon at least 0
     * @return log delta; -infinity where delta is 0; nothing where the inversion does not converge
     */
    std::optional<double> LogDelta(double epsilon)
    {
        if (epsilon >= m_first.LargestLoss())
        {
            return -INF;
        }
        const auto [c, peak] = Saddle(epsilon);
        const auto found = OnLine(m_first, c, epsilon, peak - 4.0, 0.0);
        if (!found || !Confirmed(c, epsilon, *found))
        {
            return std::nullopt;
        }
        return std::min(found->logDelta, 0.0);
    }

    /**
     * @param delta in (0, 1)
     * @return the smallest epsilon >= 0; nothing where the inversion does not converge
     */
    std::optional<double> Epsilon(double delta)
    {
        const double logDelta = std::log(delta);
        const auto chernoff = [this, logDelta](double c) {
            return (m_first.LogMoment(c) + LogHockeyStick(c) - logDelta) / c;
        };
        auto [c, epsilon] = MinimiseOverPositive(chernoff);
        if (!(epsilon > 0.0))
        {
            return 0.0;
        }
        for (int i = 0; i < MOST_LINES; ++i)
        {
            const InversionLine line(m_first, c, epsilon, logDelta);
            if (!line.Complete())
            {
                return std::nullopt;
            }
            const double root = RootOnLine(line, logDelta, epsilon);
            if (line.IsFineFor(root, logDelta))
            {
                return Settled(c, root, {logDelta, line.Reach()});
            }
            epsilon = root;
            c = Saddle(epsilon).first;
        }
        return std::nullopt;
    }

  private:
    struct Found
    {
        double logDelta;
        double reach; ///< of the line
    };

    /// The logarithm of the integrand on the real line.
    double LogIntegrand(double c, double epsilon) const
    {
        return LogIntegrandAt(c, m_first.LogMoment(c), epsilon);
    }

    /// Where the integrand is smallest on the real line, and its logarithm.
    std::pair<double, double> Saddle(double epsilon) const
    {
        return MinimiseOverPositive([this, epsilon](double c) { return LogIntegrand(c, epsilon); });
    }

    /// Whether another line that goes further gives the same.
    bool Confirmed(double c, double epsilon, const Found& found)
    {
        constexpr double CANCELLATION = 4.0;
        double factor = 0.8;
        while (LogIntegrand(factor * c, epsilon) > LogIntegrand(c, epsilon) + CANCELLATION)
        {
            factor = 0.5 + 0.5 * factor;
        }
        const auto second =
            OnLine(m_second, factor * c, epsilon, found.logDelta - 1e-3, 1.25 * found.reach);
        return second && std::abs(second->logDelta - found.logDelta) <=
                             AGREEMENT * std::max(1.0, c * epsilon);
    }

    /// The root if another line agrees.
    std::optional<double> Settled(double c, double root, const Found& found)
    {
        if (root == 0.0)
        {
            const auto atZero = LogDelta(0.0);
            return atZero && *atZero <= found.logDelta ? std::optional<double>(0.0) : std::nullopt;
        }
        return Confirmed(c, root, found) ? std::optional<double>(root) : std::nullopt;
    }

    static std::optional<Found> OnLine(TiltedComposition& composition,
                                       double c,
                                       double epsilon,
                                       double guess,
                                       double reach)
    {
        for (int i = 0; i < MOST_LINES; ++i)
        {
            const InversionLine line(composition, c, epsilon, guess, reach);
            if (!line.Complete())
            {
                return std::nullopt;
            }
            const double logDelta = line.LogDelta(epsilon);
            if (line.IsFineFor(epsilon, logDelta))
            {
                return Found{logDelta, line.Reach()};
            }
            guess = std::min(guess - 5.0, logDelta - 1.0);
        }
        return std::nullopt;
    }

    TiltedComposition m_first;  ///< what the answers are from
    TiltedComposition m_second; ///< what they are checked with
};

/// The larger of the answers in the directions asked for.
template <typename Function>
std::optional<double>
Largest(Direction direction, double nothing, Function answer)
{
    double largest = nothing;
    for (const bool remove : {true, false})
    {
        if (direction != (remove ? Direction::ADD : Direction::REMOVE))
        {
            const std::optional<double> value = answer(remove);
            if (!value)
            {
                return std::nullopt;
            }
            largest = std::max(largest, *value);
        }
    }
    return largest;
}

std::string
UnsupportedByContour(const PrivacyStep& step, const AccountingQuery& question)
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "accepts replace adjacency without sampling only";
    }
    return "";
}

void
AccountByContour(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    ContourInversion contour;
    for (const auto& [step, count] : steps)
    {
        contour.Add(step.rate, step.Shift(question.adjacency), count);
    }
    const auto epsilon = contour.Epsilon(question.delta, question.direction);
    if (!epsilon)
    {
        guarantee.epsilon = INF;
        guarantee.reason = "the contour inversion does not converge for these steps";
        return;
    }
    guarantee.epsilon = *epsilon;
    guarantee.lower = *epsilon;
}

} // namespace

void
ContourInversion::Add(double rate, double mu, std::uint64_t count)
{
    if (rate == 1.0)
    {
        m_fullMuSquared += static_cast<double>(count) * mu * mu;
    }
    else if (rate > 0.0 && mu > 0.0 && count > 0)
    {
        m_steps[rate][mu] += static_cast<double>(count);
    }
}

std::optional<double>
ContourInversion::LogDelta(double epsilon, Direction direction) const
{
    if (m_steps.empty() && m_fullMuSquared == 0.0)
    {
        return -INF;
    }
    return Largest(direction, -INF, [this, epsilon](bool remove) {
        return InvertedCurve(m_steps, m_fullMuSquared, remove).LogDelta(epsilon);
    });
}

std::optional<double>
ContourInversion::Epsilon(double delta, Direction direction) const
{
    if (m_steps.empty() && m_fullMuSquared == 0.0)
    {
        return 0.0;
    }
    return Largest(direction, 0.0, [this, delta](bool remove) {
        return InvertedCurve(m_steps, m_fullMuSquared, remove).Epsilon(delta);
    });
}

AccountantRow
ContourAccountant()
{
    return {"laplace-inversion",
            "a value and no bound: the exact curve to ten digits, by contour inversion",
            "the Laplace inversion of the moment generating function at its saddle point",
            false,
            UnsupportedByContour,
            AccountByContour};
}

} // namespace dpdl
