// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PRIVACY_PAIR_LAWS_H
#define DPDL_TEST_PRIVACY_PAIR_LAWS_H

#include "dominating-pair.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace dpdl
{

/// A pair on a grid that holds nearly all of it, also of its higher moments.
class PairOnGrid
{
  public:
    PairOnGrid(const DominatingPair& pair, double h)
    {
        const PldRange range = pair.Range(1e-80);
        m_grid.h = h;
        m_grid.first = static_cast<std::int64_t>(std::floor(range.lowest / h)) - 2;
        m_grid.points = static_cast<std::size_t>(std::ceil(range.highest / h) - m_grid.first) + 3;
        p.resize(m_grid.points + 1);
        q.resize(m_grid.points + 1);
        pair.CellMasses(m_grid, p.data(), q.data());
    }

    double Loss(std::size_t i) const
    {
        return static_cast<double>(m_grid.first + static_cast<std::int64_t>(i)) * m_grid.h;
    }

    /// P(loss > l) - e^l Q(loss > l) for the smallest grid point l that is not below @p loss.
    double Delta(double loss) const
    {
        std::size_t i = 0;
        while (Loss(i) < loss - 1e-9 * m_grid.h)
        {
            ++i;
        }
        double delta = 0.0;
        for (std::size_t j = p.size() - 1; j > i; --j)
        {
            delta += p[j] - std::exp(Loss(i)) * q[j];
        }
        return delta;
    }

    /// log of the sum of P e^((order-1) loss), the loss at the low or the high end of each cell.
    double LogMoment(double order, bool high) const
    {
        double sum = 0.0;
        for (std::size_t i = 1; i < m_grid.points; ++i)
        {
            const bool upper = high == (order > 1.0);
            sum += p[i] * std::exp((order - 1.0) * Loss(upper ? i : i - 1));
        }
        return std::log(sum);
    }

    /// P of the cells that lie outside a range.
    double Outside(const PldRange& range) const
    {
        double sum = 0.0;
        for (std::size_t i = 1; i < m_grid.points; ++i)
        {
            sum += Loss(i) < range.lowest || Loss(i - 1) > range.highest ? p[i] : 0.0;
        }
        return sum;
    }

    std::size_t Points() const
    {
        return m_grid.points;
    }

    std::vector<double> p;
    std::vector<double> q;

  private:
    PldGrid m_grid;
};

/// What every pair keeps: probabilities, the ratio within each cell, the moments.
inline void
ExpectPairLaws(const DominatingPair& pair, double h)
{
    const PairOnGrid grid(pair, h);
    double sumP = 0.0;
    double sumQ = 0.0;
    for (std::size_t i = 0; i < grid.p.size(); ++i)
    {
        const double low = i > 0 ? std::exp(grid.Loss(i - 1)) : 0.0;
        const double high =
            i < grid.Points() ? std::exp(grid.Loss(i)) : std::numeric_limits<double>::infinity();
        ASSERT_GE(grid.p[i], 0.0);
        ASSERT_GE(grid.q[i], 0.0);
        const double rounding = 1e-15 * (1.0 + low);
        ASSERT_GE(grid.p[i], grid.q[i] * low - rounding) << i;
        ASSERT_TRUE(grid.q[i] == 0.0 || grid.p[i] <= grid.q[i] * high + rounding) << i;
        sumP += grid.p[i];
        sumQ += grid.q[i];
    }
    EXPECT_NEAR(sumP, 1.0, 1e-13);
    EXPECT_NEAR(sumQ, 1.0, 1e-13);
    EXPECT_LE(grid.Outside(pair.Range(1e-6)), 2e-6);
    for (const double order : {-1.5, 0.5, 1.25, 2.0, 3.7})
    {
        const double moment = pair.LogMoment(order);
        EXPECT_GE(moment, grid.LogMoment(order, false) - 1e-9) << order;
        EXPECT_LE(moment, grid.LogMoment(order, true) + 1e-9) << order;
    }
    EXPECT_NEAR(pair.LogMoment(0.0), 0.0, 1e-13);
    EXPECT_NEAR(pair.LogMoment(1.0), 0.0, 1e-13);
}

} // namespace dpdl

#endif // DPDL_TEST_PRIVACY_PAIR_LAWS_H
