// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/contour.h"

#include "mu-quadrature.h"
#include "tilted-loss.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace dpdl
{

namespace
{

using Complex = std::complex<double>;
using Steps = std::map<double, std::map<double, double>>;

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double PI = boost::math::constants::pi<double>();
/// What is neglected is below e^-DIGITS of delta.
constexpr double DIGITS = 30.0;
/// Two lines agree if log delta differs by less, times what it costs in epsilon.
constexpr double AGREEMENT = 1e-9;
/// A longer line no longer changes log delta.
constexpr double CONVERGED = 3e-11;
/// Points times nodes of a line: what it may cost at most, and per kind of steps. Some 1 ns each.
constexpr double MOST_WORK = 5e7;
constexpr double WORK_PER_KIND = 1e7;
/// Chebyshev nodes that stand for many values of mu, on the first line and on the second.
constexpr int FEW_NODES = 24;
constexpr int MORE_NODES = 30;

/// log of the largest of E[(1 - e^(epsilon - L))+] / E[e^(c (L - epsilon))] over all losses.
double
LogHockeyStick(double c)
{
    return c > 0.0 ? c * std::log(c) - (1.0 + c) * std::log1p(c) : 0.0;
}

/// The smallest value of a function with one minimum on (0, inf), and where it is.
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

/// A composition in one direction.
class Composition
{
  public:
    Composition(const Steps& steps, double fullMuSquared, bool remove, int nodes)
        : m_square(fullMuSquared),
          m_largest(remove || fullMuSquared > 0.0 ? INF : 0.0)
    {
        for (const auto& [rate, counts] : steps)
        {
            for (const auto& entry : counts)
            {
                m_largest -= entry.second * std::log1p(-rate);
            }
            for (const MuNode& node : QuadratureOver(counts, nodes))
            {
                m_kinds.push_back({TiltedLoss(rate, node.mu, remove), node.weight});
            }
        }
    }

    /// The loss is below; infinity if it is not bounded.
    double LargestLoss() const
    {
        return m_largest;
    }

    /// log E[e^(c L)].
    double LogMoment(double c) const
    {
        double sum = 0.5 * c * (c + 1.0) * m_square;
        for (const Kind& kind : m_kinds)
        {
            sum += kind.weight * kind.loss.LogMoment(c);
        }
        return sum;
    }

    /// Fixes c = Re z.
    void Tilt(double c)
    {
        m_c = c;
        for (Kind& kind : m_kinds)
        {
            kind.loss.Tilt(c);
        }
    }

    /// Sets sum[j] to log E[e^(z L)] for Im z = first + j step; returns what it cost.
    double LogMoments(double first, double step, std::vector<Complex>& sum)
    {
        for (std::size_t j = 0; j < sum.size(); ++j)
        {
            const Complex z(m_c, first + step * static_cast<double>(j));
            sum[j] = 0.5 * m_square * z * (z + 1.0);
        }
        double work = 0.0;
        for (Kind& kind : m_kinds)
        {
            work += kind.loss.AddLogMoments(first, step, sum.size(), kind.weight, sum.data());
        }
        return work;
    }

    /// What a line may cost.
    double MostWork() const
    {
        return MOST_WORK + WORK_PER_KIND * static_cast<double>(m_kinds.size());
    }

    /// About what a block of nodes up to an imaginary part costs.
    double Work(double imaginary, std::size_t count) const
    {
        double points = 0.0;
        for (const Kind& kind : m_kinds)
        {
            points += kind.loss.Points(m_c, 2.0 * imaginary);
        }
        return points * static_cast<double>(count);
    }

  private:
    struct Kind
    {
        TiltedLoss loss;
        double weight;
    };

    std::vector<Kind> m_kinds;
    double m_square;  ///< mu^2 of the steps without sampling
    double m_largest; ///< supremum of the loss
    double m_c{0.0};
};

/// The moments of a composition on one line.
class Line
{
  public:
    /**
     * @param composition its tilt is changed
     * @param c the line is there, or somewhat to the left
     * @param epsilon near what is asked for
     * @param logDelta about the result at epsilon
     * @param reach how far the line has to go at least if a window ends it
     */
    Line(Composition& composition, double c, double epsilon, double logDelta, double reach = 0.0)
        : m_c(c)
    {
        Place(composition, epsilon, logDelta);
        composition.Tilt(m_c);
        m_complete = std::isfinite(m_period) && Fill(composition, epsilon, logDelta, reach);
    }

    /// False if the integral does not converge.
    bool Complete() const
    {
        return m_complete;
    }

    /// Where the window ends the line; 0 if the integrand has vanished there anyway.
    double Reach() const
    {
        return 2.0 * m_middle;
    }

    /// Whether the rule's step is small enough for a result.
    bool IsFineFor(double epsilon, double logDelta) const
    {
        return PeriodFor(epsilon, logDelta) <= m_period;
    }

    /// log delta(epsilon); -infinity if the sum is not positive.
    double LogDelta(double epsilon) const
    {
        double sum = 0.0;
        const double scale = m_logMoment[0].real() - m_c * epsilon;
        for (std::size_t j = 0; j < m_logMoment.size(); ++j)
        {
            const double t = (static_cast<double>(j) + 0.5) * m_step;
            const Complex z(m_c, t);
            const Complex exponent = m_logMoment[j] - z * epsilon;
            const Complex value = std::polar(std::exp(exponent.real() - scale), exponent.imag());
            sum += Window(t) * (value / (z * (z + 1.0))).real();
        }
        return sum > 0.0 ? scale + std::log(sum * m_step / PI) : -INF;
    }

  private:
    /// Period for which Chernoff bounds of delta(epsilon +- period), which the rule adds, vanish.
    double PeriodFor(double epsilon, double logDelta) const
    {
        double below = INF;
        double above = INF;
        for (const auto& [c, logMoment] : m_bounds)
        {
            const double excess = logMoment - c * epsilon + LogHockeyStick(c) - logDelta + DIGITS;
            if (c != m_c)
            {
                double& period = c < m_c ? below : above;
                period = std::min(period, excess / std::abs(c - m_c));
            }
        }
        return std::max({below, above, 1.0 / m_c});
    }

    /**
     * Chooses the place nearest to the saddle point whose period is not much longer than the
     * shortest one. The moments can grow so fast beyond the saddle point that there is no room for
     * a bound to the right of it. Off the saddle point the terms are larger than their sum, of
     * which little is allowed.
     */
    void Place(const Composition& composition, double epsilon, double logDelta)
    {
        constexpr double CANCELLATION = 3.0;
        constexpr double LONGER = 4.0;
        m_bounds = {{0.0, 0.0}};
        for (const double factor : {0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0})
        {
            m_bounds.emplace_back(factor * m_c, composition.LogMoment(factor * m_c));
        }
        const auto peakAt = [epsilon](const std::pair<double, double>& bound) {
            return bound.second - bound.first * epsilon - std::log(bound.first) -
                   std::log1p(bound.first);
        };
        const auto last = std::find_if(m_bounds.begin(), m_bounds.end(), [this](const auto& bound) {
            return bound.first >= m_c;
        });
        const double highest = peakAt(*last) + CANCELLATION;
        std::vector<std::pair<double, double>> places; // period, c
        for (auto bound = last; bound != m_bounds.begin(); --bound)
        {
            m_c = bound->first;
            if (peakAt(*bound) <= highest)
            {
                places.emplace_back(PeriodFor(epsilon, logDelta), m_c);
            }
        }
        if (places.empty())
        {
            return;
        }
        const double shortest = std::min_element(places.begin(), places.end())->first;
        const auto place = std::find_if(places.begin(), places.end(), [=](const auto& candidate) {
            return candidate.first <= LONGER * shortest;
        });
        m_c = place->second;
        m_period = 1.05 * place->first;
        m_step = 2.0 * PI / m_period;
    }

    /**
     * Weight of a node. The moments of a loss that is almost concentrated in a point far from
     * epsilon hardly decay, but what such a point adds to the integral cancels: a smooth end of the
     * line sees that, a sharp one does not. Only a point close to epsilon makes a long line
     * necessary.
     */
    double Window(double t) const
    {
        return m_middle > 0.0 ? 0.5 * std::erfc(6.0 * (t - m_middle) / m_middle) : 1.0;
    }

    bool Fill(Composition& composition, double epsilon, double logDelta, double reach)
    {
        std::vector<Complex> block(BLOCK);
        double work = 0.0;
        double previous = INF;
        std::size_t next = 2 * BLOCK;
        for (double first = 0.5 * m_step;; first += m_step * BLOCK)
        {
            const double last = first + m_step * BLOCK;
            if (!(work + composition.Work(last, BLOCK) < composition.MostWork()))
            {
                return false;
            }
            work += composition.LogMoments(first, m_step, block);
            m_logMoment.insert(m_logMoment.end(), block.begin(), block.end());
            m_middle = 0.0;
            if (HasVanished(last, epsilon, logDelta))
            {
                return true;
            }
            if (m_logMoment.size() >= next)
            {
                next += next / 2;
                m_middle = 0.5 * last;
                const double current = LogDelta(epsilon);
                if (std::abs(current - previous) < CONVERGED && last > reach)
                {
                    return true;
                }
                previous = current;
            }
        }
    }

    /// Whether the rest of the integral is negligible if the moments do not grow again.
    bool HasVanished(double last, double epsilon, double logDelta) const
    {
        double largest = -INF;
        for (auto moment = m_logMoment.end() - BLOCK / 2; moment != m_logMoment.end(); ++moment)
        {
            largest = std::max(largest, moment->real());
        }
        return largest - m_c * epsilon - std::log(last) < logDelta - DIGITS;
    }

    static constexpr std::size_t BLOCK = 64;

    double m_c;
    double m_period{INF};
    double m_middle{0.0}; ///< where the window is a half; 0: no window
    double m_step{0.0};
    bool m_complete{false};
    std::vector<std::pair<double, double>> m_bounds; ///< c, log E[e^(c L)]
    std::vector<Complex> m_logMoment;                ///< at Im z = (j + 1/2) step
};

/// The curve of a composition in one direction.
class Curve
{
  public:
    Curve(const Steps& steps, double fullMuSquared, bool remove)
        : m_first(steps, fullMuSquared, remove, FEW_NODES),
          m_second(steps, fullMuSquared, remove, MORE_NODES)
    {
    }

    std::optional<double> LogDelta(double epsilon)
    {
        if (epsilon >= m_first.LargestLoss())
        {
            return -INF;
        }
        const auto [c, peak] = Saddle(epsilon);
        const auto found = OnLine(m_first, c, epsilon, peak - 4.0, 0.0);
        if (!found || !Confirmed(c, epsilon, found->logDelta, found->reach))
        {
            return std::nullopt;
        }
        return std::min(found->logDelta, 0.0);
    }

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
            const Line line(m_first, c, epsilon, logDelta);
            if (!line.Complete())
            {
                return std::nullopt;
            }
            const double root = Root(line, logDelta, epsilon);
            if (line.IsFineFor(root, logDelta))
            {
                return Settled(c, root, logDelta, line.Reach());
            }
            epsilon = root;
            c = Saddle(epsilon).first;
        }
        return std::nullopt;
    }

  private:
    static constexpr int MOST_LINES = 6;

    /// The logarithm of the integrand on the real line.
    double LogIntegrand(double c, double epsilon) const
    {
        return m_first.LogMoment(c) - c * epsilon - std::log(c) - std::log1p(c);
    }

    /// Where the integrand is smallest on the real line, and its logarithm.
    std::pair<double, double> Saddle(double epsilon) const
    {
        return MinimiseOverPositive([this, epsilon](double c) { return LogIntegrand(c, epsilon); });
    }

    struct Found
    {
        double logDelta;
        double reach;
    };

    static std::optional<Found> OnLine(Composition& composition,
                                       double c,
                                       double epsilon,
                                       double guess,
                                       double reach)
    {
        for (int i = 0; i < MOST_LINES; ++i)
        {
            const Line line(composition, c, epsilon, guess, reach);
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

    /// Whether another line, that goes further, gives the same.
    bool Confirmed(double c, double epsilon, double logDelta, double reach)
    {
        constexpr double CANCELLATION = 4.0;
        double factor = 0.8;
        while (LogIntegrand(factor * c, epsilon) > LogIntegrand(c, epsilon) + CANCELLATION)
        {
            factor = 0.5 + 0.5 * factor;
        }
        const auto second = OnLine(m_second, factor * c, epsilon, logDelta - 1e-3, 1.25 * reach);
        return second &&
               std::abs(second->logDelta - logDelta) <= AGREEMENT * std::max(1.0, c * epsilon);
    }

    /// epsilon >= 0, near a guess, at which the line gives delta; 0 if there is none.
    static double Root(const Line& line, double logDelta, double guess)
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

    std::optional<double> Settled(double c, double root, double logDelta, double reach)
    {
        if (root == 0.0)
        {
            const auto atZero = LogDelta(0.0);
            return atZero && *atZero <= logDelta ? std::optional<double>(0.0) : std::nullopt;
        }
        return Confirmed(c, root, logDelta, reach) ? std::optional<double>(root) : std::nullopt;
    }

    Composition m_first;
    Composition m_second;
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
        return Curve(m_steps, m_fullMuSquared, remove).LogDelta(epsilon);
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
        return Curve(m_steps, m_fullMuSquared, remove).Epsilon(delta);
    });
}

} // namespace dpdl
