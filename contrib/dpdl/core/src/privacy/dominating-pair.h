// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_DOMINATING_PAIR_H
#define DPDL_PRIVACY_DOMINATING_PAIR_H

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// The losses (first + i) * h for i = 0..points-1.
struct LossGrid
{
    std::int64_t first{0}; ///< index of the lowest point
    std::size_t points{0}; ///< number of points, at least 1
    double h{0.0};         ///< width of a cell, > 0
};

/// An interval of losses.
struct LossRange
{
    double lowest{0.0};
    double highest{0.0};
};

/**
 * @brief Two distributions P and Q on a line that are as easy to distinguish as the outputs of one
 *        step on the worst two neighbouring datasets, in one direction.
 *
 * P is what the mechanism does and Q the reference; the loss is log(dP/dQ). The privacy curve of
 * the step is at most that of the pair, and so is the one of a composition of steps (Zhu, Dong and
 * Wang, 2022).
 */
class DominatingPair
{
  public:
    virtual ~DominatingPair() = default;

    /**
     * @brief Interval that holds the loss.
     * @param tail probability, > 0
     * @return an interval; the loss is below it with P-probability at most @p tail, and above it as
     *         well
     */
    virtual LossRange Range(double tail) const = 0;

    /**
     * @brief Probabilities of the cells of a grid.
     *
     * With l_i the points: p[0] = P(loss <= l_0), p[i] = P(l_{i-1} < loss <= l_i) and
     * p[points] = P(loss > l_{points-1}), an infinite loss included; q is the same under Q. Each is
     * accurate to some 1e-15 of the smaller of the two tails that the cell borders.
     *
     * @param grid where
     * @param[out] p [points + 1]
     * @param[out] q [points + 1]
     */
    virtual void CellMasses(const LossGrid& grid, double* p, double* q) const = 0;

    /**
     * @brief log E_Q[(dP/dQ)^order], an upper bound where it is not exact to rounding.
     *
     * order - 1 times the Renyi divergence for order > 1; with order = 1 + c it is log E_P[e^(c
     * loss)].
     * @param order any real number >= -20
     * @return infinity where the moment does not exist
     */
    virtual double LogMoment(double order) const = 0;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_DOMINATING_PAIR_H
