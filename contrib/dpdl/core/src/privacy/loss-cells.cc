// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "loss-cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Mass beyond this many standard deviations is given away pessimistically.
constexpr double TAIL = 9.5;
/// Losses beyond this have no exponential.
constexpr double LARGEST_LOSS = 650.0;

/// Normal probability on the smaller side of a point.
struct Tail
{
    double value{0.0};
    bool upper{false};

    Tail(double x, double mean)
        : value(0.5 * std::erfc(std::abs(x - mean) * std::sqrt(0.5))),
          upper(x > mean)
    {
    }

    double Below() const
    {
        return upper ? 1.0 - value : value;
    }

    double Above() const
    {
        return upper ? value : 1.0 - value;
    }
};

/// Probability between two points, without cancellation against 1.
double
Between(const Tail& left, const Tail& right)
{
    if (left.upper == right.upper)
    {
        return std::max(left.upper ? left.value - right.value : right.value - left.value, 0.0);
    }
    return 1.0 - left.value - right.value;
}

/// A grid point of the loss, seen on the x axis.
struct Point
{
    Tail still; ///< of N(0, 1)
    Tail moved; ///< of N(mu, 1)
};

/// Probabilities of the two distributions of a pair.
struct Pair
{
    double mechanism; ///< P
    double reference; ///< Q
};

/// One step in one direction, on a grid of losses.
class Step
{
  public:
    Step(double rate, double mu, double h, LossDirection direction)
        : m_rate(rate),
          m_mu(mu),
          m_h(h),
          m_spread(-1.0 / std::expm1(-h)),
          m_remove(direction == LossDirection::REMOVE)
    {
    }

    /// First and last grid index that matter.
    std::pair<std::int64_t, std::int64_t> Range() const
    {
        const double lowest = m_remove ? LossAt(-TAIL) : -LossAt(TAIL);
        const double highest = m_remove ? LossAt(m_mu + TAIL) : -LossAt(-TAIL);
        return {static_cast<std::int64_t>(std::floor(lowest / m_h)),
                static_cast<std::int64_t>(std::ceil(highest / m_h)) + 1};
    }

    Point At(std::int64_t index) const
    {
        const double loss = static_cast<double>(index) * m_h;
        const double x = Inverse(m_remove ? loss : -loss);
        return {Tail(x, 0.0), Tail(x, m_mu)};
    }

    /// Probabilities of a smaller loss.
    Pair Smaller(const Point& p) const
    {
        return m_remove ? Mix(p.still.Below(), p.moved.Below())
                        : Mix(p.still.Above(), p.moved.Above());
    }

    /// Probabilities of a larger loss.
    Pair Larger(const Point& p) const
    {
        return m_remove ? Mix(p.still.Above(), p.moved.Above())
                        : Mix(p.still.Below(), p.moved.Below());
    }

    /// Probabilities of the cell above a grid point.
    Pair Cell(const Point& here, const Point& next) const
    {
        const Point& left = m_remove ? here : next;
        const Point& right = m_remove ? next : here;
        return Mix(Between(left.still, right.still), Between(left.moved, right.moved));
    }

    /// How much of a cell's mass belongs to its upper end, so that both probabilities are kept.
    double Upper(std::int64_t index, const Point& here, const Pair& cell) const
    {
        const double loss = static_cast<double>(index) * m_h;
        if (std::abs(loss) >= LARGEST_LOSS)
        {
            return cell.mechanism;
        }
        const Pair tail = Mix(here.still.value, here.moved.value);
        const double factor = std::exp(loss);
        const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                                (tail.mechanism + factor * tail.reference);
        const double up = (cell.mechanism - factor * cell.reference + rounding) * m_spread;
        return std::clamp(up, 0.0, cell.mechanism);
    }

  private:
    Pair Mix(double still, double moved) const
    {
        const double mixture = (1.0 - m_rate) * still + m_rate * moved;
        return m_remove ? Pair{mixture, still} : Pair{still, mixture};
    }

    /// log(1 - q + q exp(mu x - mu^2/2))
    double LossAt(double x) const
    {
        const double exponent = m_mu * x - 0.5 * m_mu * m_mu;
        if (m_rate == 1.0)
        {
            return exponent;
        }
        return exponent < 600.0 ? std::log1p(m_rate * std::expm1(exponent))
                                : exponent + std::log(m_rate);
    }

    /// The x at which LossAt takes a value.
    double Inverse(double loss) const
    {
        double logPower = loss;
        if (loss > 600.0)
        {
            logPower = loss - std::log(m_rate);
        }
        else if (m_rate < 1.0)
        {
            const double y = std::expm1(loss) / m_rate + 1.0;
            logPower = y > 0.0 ? std::log(y) : -std::numeric_limits<double>::infinity();
        }
        return (logPower + 0.5 * m_mu * m_mu) / m_mu;
    }

    double m_rate;
    double m_mu;
    double m_h;
    double m_spread;
    bool m_remove;
};

} // namespace

LossCells
ConnectTheDots(double rate, double mu, double h, LossDirection direction)
{
    const Step step(rate, mu, h, direction);
    const auto [first, last] = step.Range();
    LossCells cells;
    cells.first = first;
    cells.mass.assign(static_cast<std::size_t>(last - first + 1), 0.0);
    Point here = step.At(first);
    cells.mass[0] = step.Smaller(here).mechanism;
    for (std::size_t j = 0; j + 1 < cells.mass.size(); ++j)
    {
        const std::int64_t index = first + static_cast<std::int64_t>(j);
        const Point next = step.At(index + 1);
        const Pair cell = step.Cell(here, next);
        const double up = step.Upper(index, here, cell);
        cells.mass[j] += cell.mechanism - up;
        cells.mass[j + 1] += up;
        here = next;
    }
    const Pair rest = step.Larger(here);
    const double top = static_cast<double>(last) * h;
    const double kept = std::min(rest.mechanism, std::exp(std::min(top, 700.0)) * rest.reference);
    cells.mass.back() += kept;
    cells.infinite = rest.mechanism - kept;
    return cells;
}

} // namespace dpdl
