// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mirrored-pair.h"

#include "normal-tail.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

// Computes cell masses of mirrored pairs, and moments by sums over the privacy losses above 0
// (ExcessMoments).

namespace dpdl
{

namespace
{

/// Probabilities of a mirrored distribution in the two tails and in the cells -size + 1 .. size.
/// Cell k contains the privacy losses in ((k - 1) h, k h].
class MirroredCells
{
  public:
    /**
     * @param above masses under this distribution of the cells above 0 and of the upper tail, as
     *        UpperMasses() writes them; must outlive this object
     * @param mirrored the same masses under the other distribution of the pair; must outlive this
     *        object
     */
    MirroredCells(const std::vector<double>& above, const std::vector<double>& mirrored)
        : m_above(above),
          m_mirrored(mirrored)
    {
        double sum = 0.0;
        for (std::size_t i = above.size() - 1; i > 0; --i)
        {
            sum += above[i] + mirrored[i];
        }
        m_atom = std::max(1.0 - sum, 0.0);
    }

    double operator[](std::int64_t cell) const
    {
        if (cell > 0)
        {
            return m_above[static_cast<std::size_t>(cell)];
        }
        const double mass = m_mirrored[static_cast<std::size_t>(1 - cell)];
        return cell == 0 ? mass + m_atom : mass;
    }

    /// Writes the masses of the cells of a grid to @p out, in the layout of
    /// DominatingPair::CellMasses().
    void Fill(const PldGrid& grid, double* out) const
    {
        const auto size = static_cast<std::int64_t>(m_above.size()) - 2;
        const std::int64_t last = grid.first + static_cast<std::int64_t>(grid.points) - 1;
        out[0] = m_mirrored.back();
        for (std::int64_t cell = 1 - size; cell <= grid.first; ++cell)
        {
            out[0] += (*this)[cell];
        }
        for (std::size_t i = 1; i < grid.points; ++i)
        {
            out[i] = (*this)[grid.first + static_cast<std::int64_t>(i)];
        }
        out[grid.points] = m_above.back();
        for (std::int64_t cell = size; cell > last; --cell)
        {
            out[grid.points] += (*this)[cell];
        }
    }

  private:
    const std::vector<double>& m_above;
    const std::vector<double>& m_mirrored;
    double m_atom;
};

using Rule = boost::math::quadrature::gauss<double, 20>;
constexpr std::size_t PANEL = 20;
constexpr double MOST_PANELS = 1000.0;

/// Logarithm of |e^y - 1|.
double
LogExpm1(double y)
{
    return y > 30.0 ? y + std::log1p(-std::exp(-y)) : std::log(std::abs(std::expm1(y)));
}

constexpr double LOG_SQRT_TWO_PI = 0.91893853320467274178;

/// Logarithm of 1 + e^y.
double
LogOnePlusExp(double y)
{
    return y > 0.0 ? y + std::log1p(std::exp(-y)) : std::log1p(std::exp(y));
}

/// Tail probabilities at one point of standard normals with three centres: the sum without both
/// examples (still), with the example (moved), and with the replacing example (rival).
struct Tails
{
    NormalTail still;
    NormalTail moved;
    NormalTail rival;
};

/// Below this order of a moment, the panels of MirroredLaplacePair are narrow enough for an
/// accurate quadrature.
constexpr double LARGEST_ORDER = 160.0;

} // namespace

void
MirroredPair::CellMasses(const PldGrid& grid, double* p, double* q) const
{
    const std::int64_t last = grid.first + static_cast<std::int64_t>(grid.points) - 1;
    const auto cells =
        static_cast<std::size_t>(std::max<std::int64_t>({std::abs(grid.first), std::abs(last), 1}));
    std::vector<double> upperP(cells + 2, 0.0);
    std::vector<double> upperQ(cells + 2, 0.0);
    UpperMasses(cells, grid.h, upperP.data(), upperQ.data());
    MirroredCells(upperP, upperQ).Fill(grid, p);
    MirroredCells(upperQ, upperP).Fill(grid, q);
}

double
MirroredPair::LogMoment(double order) const
{
    // For a mirrored pair, E_Q[r^a] = E_Q[r^(1-a)] with r = dP/dQ, so orders of at least 1/2
    // suffice.
    const double upper = std::max(order, 1.0 - order);
    if (upper == 1.0)
    {
        return 0.0;
    }
    const double logExcess = LogExcess(upper);
    if (upper < 1.0)
    {
        return std::log1p(-std::exp(logExcess));
    }
    return logExcess > 30.0 ? logExcess + std::log1p(std::exp(-logExcess))
                            : std::log1p(std::exp(logExcess));
}

ExcessMoments::ExcessMoments(Curve curve, double width, const std::vector<PldPoint>& atoms)
    : m_curve(std::move(curve)),
      m_width(width),
      m_atoms(atoms.size()),
      m_points(atoms)
{
}

bool
ExcessMoments::Affordable(double to) const
{
    return to / m_width <= MOST_PANELS;
}

std::size_t
ExcessMoments::PointsFor(double to) const
{
    // Rounding may lift the quotient just above an integer. The subtraction then avoids an
    // additional panel.
    const auto panels = static_cast<std::size_t>(std::ceil(to / m_width - 1e-9));
    for (std::size_t panel = (m_points.size() - m_atoms) / PANEL; panel < panels; ++panel)
    {
        const double half = 0.5 * m_width;
        const double middle = (static_cast<double>(panel) + 0.5) * m_width;
        for (std::size_t i = 0; i < PANEL / 2; ++i)
        {
            const double logWeight = std::log(Rule::weights()[i] * half);
            for (const double sign : {-1.0, 1.0})
            {
                PldPoint point = m_curve(middle + sign * half * Rule::abscissa()[i]);
                point.logDensity += logWeight;
                m_points.push_back(point);
            }
        }
    }
    return m_atoms + panels * PANEL;
}

double
ExcessMoments::Log(double order, double to) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::size_t count = PointsFor(to);
    std::vector<double> terms(count);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i)
    {
        const PldPoint& point = m_points[i];
        terms[i] =
            LogExpm1(order * point.loss) + LogExpm1((1.0 - order) * point.loss) + point.logDensity;
        largest = std::max(largest, terms[i]);
    }
    if (!std::isfinite(largest))
    {
        return -std::numeric_limits<double>::infinity();
    }
    double sum = 0.0;
    for (const double term : terms)
    {
        sum += std::exp(term - largest);
    }
    return largest + std::log(sum);
}

MirroredGaussianPair::MirroredGaussianPair(double rate, double mu, Rival rival)
    : m_rate(rate),
      m_mu(mu),
      m_opposite(rival == Rival::OPPOSITE),
      m_half(m_opposite ? mu : 0.5 * mu),
      m_centre(m_opposite ? 0.0 : 0.5 * mu),
      m_excess([this](double t) { return At(t); }, std::min(2.0, 2.0 / mu))
{
}

PldPoint
MirroredGaussianPair::At(double t) const
{
    const double x = t + m_centre;
    PldPoint point{LogMixture(m_rate, m_mu * t), -0.5 * x * x - LOG_SQRT_TWO_PI};
    if (m_opposite)
    {
        // With the sampling rate q and w = q e^(-mu^2/2), the privacy loss is log((1 - q + w e^(mu
        // t)) / (1 - q + w e^(-mu t))).
        const double logRival = LogMixture(m_rate, -m_mu * t - 0.5 * m_mu * m_mu);
        const double logGain = std::log(m_rate) - 0.5 * m_mu * m_mu + m_mu * t +
                               std::log(-std::expm1(-2.0 * m_mu * t)) - logRival;
        point.loss = LogOnePlusExp(logGain);
        point.logDensity += logRival;
    }
    return point;
}

double
MirroredGaussianPair::Inverse(double loss) const
{
    if (m_opposite)
    {
        // With the sampling rate q and y = mu t - loss / 2 for the privacy loss @p loss, the
        // distance t solves sinh(y) = (1 - q) / q e^(mu^2/2) sinh(loss / 2).
        const double logSinh =
            std::log1p(-m_rate) - std::log(m_rate) + 0.5 * m_mu * m_mu +
            (loss > 0.0 ? 0.5 * loss + std::log(-0.5 * std::expm1(-loss)) : -HUGE_VAL);
        const double y =
            logSinh < LARGEST_EXPONENT ? std::asinh(std::exp(logSinh)) : logSinh + std::log(2.0);
        return (0.5 * loss + y) / m_mu;
    }
    const double exponent =
        loss < LARGEST_EXPONENT ? std::log1p(std::expm1(loss) / m_rate) : loss - std::log(m_rate);
    return exponent / m_mu;
}

PldRange
MirroredGaussianPair::Range(double tail) const
{
    // Each of the mixture's two components may have half of the probability @p tail outside the
    // range.
    const double still = NormalTail::Quantile(0.5 * tail) - m_centre;
    const double shared = NormalTail::Quantile(0.5 * tail / m_rate);
    const double highest = std::max({still, shared + m_half, 0.0});
    const double lowest = std::max({still, shared - m_half, 0.0});
    return {-At(lowest).loss, At(highest).loss};
}

void
MirroredGaussianPair::UpperMasses(std::size_t cells, double h, double* p, double* q) const
{
    const auto tailsAt = [this, h](std::size_t i) {
        const double t = Inverse(static_cast<double>(i) * h);
        return Tails{NormalTail(t + m_centre), NormalTail(t - m_half), NormalTail(t + m_half)};
    };
    const auto set = [this, p, q](std::size_t i, double still, double moved, double rival) {
        p[i] = (1.0 - m_rate) * still + m_rate * moved;
        q[i] = (1.0 - m_rate) * still + m_rate * rival;
    };
    Tails here = tailsAt(0);
    for (std::size_t i = 1; i <= cells; ++i)
    {
        const Tails next = tailsAt(i);
        set(i,
            NormalTail::Between(here.still, next.still),
            NormalTail::Between(here.moved, next.moved),
            NormalTail::Between(here.rival, next.rival));
        here = next;
    }
    set(cells + 1, here.still.Above(), here.moved.Above(), here.rival.Above());
}

double
MirroredGaussianPair::LogExcess(double order) const
{
    const double distance = 2.0 * m_half;
    const double to = order * distance + NORMAL_TAIL;
    if (m_excess.Affordable(to))
    {
        return m_excess.Log(order, to);
    }
    // For order a > 1, p^a q^(1-a) is jointly convex in the densities p and q. So E_Q[r^a] - 1 is
    // at most the sampling rate times this moment without sampling. For a < 1 the log moment is at
    // most 0.
    return order < 1.0 ? -HUGE_VAL
                       : std::log(m_rate) + 0.5 * order * (order - 1.0) * distance * distance;
}

MirroredLaplacePair::MirroredLaplacePair(double rate, double shift)
    : m_upper(rate, shift, LaplacePair::Side::REMOVE),
      m_shift(shift),
      m_top(LogMixture(rate, shift)),
      m_excess(
          [rate, shift](double plain) {
              return PldPoint{LogMixture(rate, plain), -0.5 * (plain + shift) - std::log(4.0)};
          },
          // Panels have a width of at most 1/4, and one panel ends at the largest privacy loss.
          shift / std::ceil(4.0 * shift),
          {PldPoint{m_top, -shift - std::log(2.0)}})
{
}

PldRange
MirroredLaplacePair::Range(double tail) const
{
    static_cast<void>(tail);
    // The range is slightly wider than the support of the privacy loss, so the cells of any grid
    // over it contain both atoms.
    const double highest = m_top * (1.0 + 1e-9);
    return {-highest, highest};
}

void
MirroredLaplacePair::UpperMasses(std::size_t cells, double h, double* p, double* q) const
{
    m_upper.CellMasses({0, cells + 1, h}, p, q);
}

double
MirroredLaplacePair::LogExcess(double order) const
{
    if (order < LARGEST_ORDER && m_excess.Affordable(m_shift))
    {
        return m_excess.Log(order, m_shift);
    }
    // The largest privacy loss m_top bounds the moment for orders above 1. For orders below 1 the
    // log moment is at most 0.
    return order < 1.0 ? -HUGE_VAL : (order - 1.0) * m_top;
}

} // namespace dpdl
