// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mirrored-pair.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace dpdl
{

namespace
{

/// The cells -size + 1 .. size of a mirrored distribution, cell k ending at k h, and its two tails.
class MirroredCells
{
  public:
    /// @param above the upper cells of the distribution, @param mirrored those of the other one
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

    /// Writes what the cells of a grid hold.
    void Fill(const LossGrid& grid, double* out) const
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

} // namespace

void
MirroredPair::CellMasses(const LossGrid& grid, double* p, double* q) const
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
    // E_Q[r^a] = E_Q[r^(1-a)]
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

} // namespace dpdl
