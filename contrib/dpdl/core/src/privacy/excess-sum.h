// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_EXCESS_SUM_H
#define DPDL_PRIVACY_EXCESS_SUM_H

#include <functional>
#include <mutex>
#include <vector>

namespace dpdl
{

/// A point of a pair: its loss, and the logarithm of the density or probability of Q there.
struct LossPoint
{
    double loss{0.0};
    double logDensity{0.0};
};

/**
 * @brief What the moments of a mirrored pair exceed 1 by.
 *
 * If each loss above 0 has its mirror image below, with P and Q exchanged, then E_Q[r^a] - 1 with
 * r = dP/dQ is the sum over the losses above 0 of Q (r^a - 1)(1 - r^(1-a)): nothing cancels,
 * however small it is. The sum is taken by Gauss-Legendre panels of equal width, which are computed
 * once and appended as higher orders need more of them.
 */
class ExcessSum
{
  public:
    /// What stands at a distance t >= 0 from the point where the loss is 0.
    using Curve = std::function<LossPoint(double)>;

    /**
     * @param curve at least 0 in its loss
     * @param width of a panel, > 0
     * @param atoms points of their own probability
     */
    ExcessSum(Curve curve, double width, const std::vector<LossPoint>& atoms = {});

    /// False if a sum up to @p to would need more points than are worth their time.
    bool Affordable(double to) const;

    /**
     * @brief The logarithm of the absolute value of the sum.
     * @param order a > 0
     * @param to where the curve ends or no longer matters; Affordable
     * @return -infinity for a = 1
     */
    double Log(double order, double to) const;

  private:
    /// Number of points up to @p to; appends what is missing.
    std::size_t PointsFor(double to) const;

    Curve m_curve;                           ///< the distribution
    double m_width;                          ///< of a panel
    std::size_t m_atoms;                     ///< the first points are atoms
    mutable std::mutex m_mutex;              ///< guards the points
    mutable std::vector<LossPoint> m_points; ///< with their weight in place of the density
};

} // namespace dpdl

#endif // DPDL_PRIVACY_EXCESS_SUM_H
