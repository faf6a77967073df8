// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Discretises the privacy loss of a dominating pair by "connect the dots" (Doroshenko et al.,
// 2022), then tilts the masses and computes their statistics.

namespace dpdl
{

namespace
{

constexpr double EPSILON = std::numeric_limits<double>::epsilon();
/// Privacy losses above this are not exponentiated, to avoid overflow.
constexpr double LARGEST_LOSS = 650.0;
/// Cell width, in nats, below which a second-order expansion gives the amount by which rounding to
/// the grid raises the mean privacy loss.
constexpr double NARROW = 0.02;
/// Cells with a mass of at most this are left out of the statistics of rounding, which divide by
/// squared cell masses.
constexpr double SMALLEST_MASS = 1e-150;

/// Computes exp(rate * loss), for any exponent `rate`, along a grid of privacy losses by repeated
/// multiplication. Every 64th value is computed afresh, for accuracy.
class Exponential
{
  public:
    Exponential(double rate, std::int64_t first, double h)
        : m_rate(rate * h),
          m_first(first),
          m_ratio(std::exp(rate * h))
    {
    }

    /// Value at grid point first + offset. The caller must visit the offsets 0, 1, 2, ... in order.
    double At(std::size_t offset)
    {
        m_value = offset % 64 == 0
                      ? std::exp(m_rate * static_cast<double>(m_first + std::int64_t(offset)))
                      : m_value * m_ratio;
        return m_value;
    }

  private:
    double m_rate;
    std::int64_t m_first;
    double m_ratio;
    double m_value{1.0};
};

} // namespace

PldDiscretiser::PldDiscretiser(double h, const PldTilt& tilt)
    : m_h(h),
      m_tilt(tilt)
{
}

const PldCells&
PldDiscretiser::Discretise(const DominatingPair& pair, const PldRange& range)
{
    PldGrid grid;
    const double lowest = std::max(range.lowest, -NEGLIGIBLE_TILT / m_tilt.main);
    // One additional cell at each end holds an atom at the end of the range.
    grid.first = static_cast<std::int64_t>(std::floor(lowest / m_h)) - 1;
    const auto last = static_cast<std::int64_t>(std::ceil(range.highest / m_h)) + 1;
    grid.points = static_cast<std::size_t>(last - grid.first + 1);
    grid.h = m_h;
    m_p.resize(grid.points + 1);
    m_q.resize(grid.points + 1);
    pair.CellMasses(grid, m_p.data(), m_q.data());
    Split(grid.first);
    Tilt();
    return m_cells;
}

void
PldDiscretiser::Split(std::int64_t first)
{
    const std::size_t points = m_p.size() - 1;
    const double share = -1.0 / std::expm1(-m_h);
    m_cells.first = first;
    m_cells.mass.assign(points, 0.0);
    m_both.assign(points, 0.0);
    m_raised.assign(points, 0.0);
    const double top = static_cast<double>(first + std::int64_t(points) - 1) * m_h;
    const double kept = std::min(m_p[points], std::exp(std::min(top, 700.0)) * m_q[points]);
    m_cells.mass[points - 1] = kept;
    m_cells.statistics.infinite = m_p[points] - kept;
    double aboveP = m_p[points];
    double aboveQ = m_q[points];
    for (std::size_t j = points - 1; j > 0; --j)
    {
        // Cell j is between the grid points j - 1 and j.
        const double p = m_p[j];
        const double loss = static_cast<double>(first + std::int64_t(j) - 1) * m_h;
        double up = p;
        double rise = m_h;
        aboveP += p;
        aboveQ += m_q[j];
        if (loss < LARGEST_LOSS)
        {
            const double factor = std::exp(loss);
            const double rounding = 4.0 * EPSILON *
                                    (std::min(aboveP, 1.0 - std::min(aboveP, 1.0)) +
                                     factor * std::min(aboveQ, 1.0 - std::min(aboveQ, 1.0)));
            up = std::clamp((p - factor * m_q[j] + rounding) * share, 0.0, p);
            // `rise` is the amount by which rounding raises the mean privacy loss. For narrow cells
            // it is half the variance that rounding adds, by a second-order expansion.
            rise = m_h < NARROW ? 0.5 * m_h * m_h * up * (p - up) / (p * p)
                                : m_h * up / p - std::log(p / m_q[j]) + loss;
            rise += p > 0.0 ? rounding * share * m_h / p : 0.0;
        }
        m_cells.mass[j] += up;
        m_cells.mass[j - 1] += p - up;
        // The statistics divide by squared masses, and squares of smaller masses would underflow.
        if (p > SMALLEST_MASS)
        {
            m_both[j - 1] = up * (p - up) / p;
            m_raised[j - 1] = p * std::clamp(rise, 0.0, m_h);
        }
    }
    m_cells.mass[0] += m_p[0];
}

void
PldDiscretiser::Tilt()
{
    Exponential main(m_tilt.main, m_cells.first, m_h);
    Exponential above(m_tilt.above, m_cells.first, m_h);
    Exponential below(-m_tilt.below, m_cells.first, m_h);
    Exponential local(m_tilt.local, m_cells.first, m_h);
    double sum = 0.0;
    double sumAbove = 0.0;
    double sumBelow = 0.0;
    double sumLocal = 0.0;
    double spread = 0.0;
    double raised = 0.0;
    for (std::size_t j = 0; j < m_cells.mass.size(); ++j)
    {
        const double localFactor = local.At(j);
        sumLocal += m_cells.mass[j] * localFactor;
        spread += m_both[j] * localFactor;
        raised += m_raised[j] * localFactor;
        const double mass = m_cells.mass[j] * main.At(j);
        m_cells.mass[j] = mass;
        sum += mass;
        sumAbove += mass * above.At(j);
        sumBelow += mass * below.At(j);
    }
    for (double& mass : m_cells.mass)
    {
        mass /= sum;
    }
    PldStatistics& statistics = m_cells.statistics;
    statistics.moved =
        m_p[0] * std::exp(m_tilt.main * static_cast<double>(m_cells.first) * m_h) / sum;
    statistics.logMoment = std::log(sum);
    statistics.logAbove = std::log(sumAbove / sum);
    statistics.logBelow = std::log(sumBelow / sum);
    statistics.spread = spread / sumLocal * m_h * m_h;
    statistics.raised = raised / sumLocal;
}

} // namespace dpdl
