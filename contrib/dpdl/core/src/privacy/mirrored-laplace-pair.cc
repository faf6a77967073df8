// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mirrored-laplace-pair.h"

#include "log-mixture.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Up to this order the panels are narrow enough.
constexpr double LARGEST_ORDER = 160.0;

/// At most 1/4 wide, and an end at the largest loss.
double
WidthFor(double shift)
{
    return shift / std::ceil(4.0 * shift);
}

} // namespace

MirroredLaplacePair::MirroredLaplacePair(double rate, double shift)
    : m_upper(rate, shift, LaplacePair::Side::REMOVE),
      m_shift(shift),
      m_top(LogMixture(rate, shift)),
      m_excess(
          [rate, shift](double plain) {
              return LossPoint{LogMixture(rate, plain), -0.5 * (plain + shift) - std::log(4.0)};
          },
          WidthFor(shift),
          {LossPoint{m_top, -shift - std::log(2.0)}})
{
}

LossRange
MirroredLaplacePair::Range(double tail) const
{
    static_cast<void>(tail);
    // Just outside, so that the cells of any grid over the range hold the atoms.
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
    // No loss is beyond the atom.
    return order < 1.0 ? -HUGE_VAL : (order - 1.0) * m_top;
}

} // namespace dpdl
