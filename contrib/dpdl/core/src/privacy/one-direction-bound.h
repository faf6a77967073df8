// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ONE_DIRECTION_BOUND_H
#define DPDL_PRIVACY_ONE_DIRECTION_BOUND_H

#include "composed-pld.h"
#include "pld-estimate.h"

namespace dpdl
{

/// Target distance between upper and lower bound, as a fraction of epsilon, for at most MANY_KINDS
/// kinds of steps.
constexpr double SHARP = 1e-4;
/// Target distance between upper and lower bound, as a fraction of epsilon, for more than
/// MANY_KINDS kinds of steps.
constexpr double LESS_SHARP = 3e-4;
constexpr std::size_t MANY_KINDS = 200;
/// Absolute distance between upper and lower bound of epsilon that is always small enough.
constexpr double SHARP_ENOUGH = 2e-7;

/// Upper and lower bound of the epsilon of one direction of a composition, with adjustable
/// accuracy.
class OneDirectionBound
{
  public:
    /**
     * @param kinds steps of the composition in one direction, at least one; must outlive this
     *        object
     * @param delta delta of the guarantee, in (0, 1)
     */
    OneDirectionBound(const PldKinds& kinds, double delta);

    /// Approximate epsilon at delta, by the saddle point; not a bound.
    double Estimate() const
    {
        return m_estimate.Epsilon();
    }

    /**
     * @brief Tightens the bounds on epsilon.
     *
     * Refines the grid until the bounds are close enough, the largest grid has been tried, or 8
     * grids have been tried.
     * @param relative target distance between upper and lower bound, as a fraction of epsilon
     * @param enough an epsilon; the refinement also stops once the upper bound is at most @p enough
     * @return the tightened bounds; an estimated lower bound that exceeds the upper bound becomes 0
     */
    const EpsilonBounds& Refine(double relative, double enough = -1.0);

    /// Bounds after the last Refine(); [0, infinity] before the first call.
    const EpsilonBounds& Bounds() const
    {
        return m_bounds;
    }

    /// Estimated amount by which meshes raise epsilon, because they replace steps by mixtures of
    /// the pairs at mesh corners; 0 without meshes.
    double Grouping() const;

    /// Saddle-point estimate of the composition, made by the constructor.
    const PldEstimate& Saddlepoint() const
    {
        return m_estimate;
    }

    /// Cell width of the last grid, in nats of privacy loss; valid after Refine().
    double CellWidth() const
    {
        return m_width;
    }

  private:
    EpsilonBounds Evaluate(std::size_t size) const;
    /// Number of cells of the first, coarse grid.
    /// @param distance target distance between the bounds of epsilon
    double FirstCells(double distance) const;

    const PldKinds& m_kinds;
    double m_delta;
    PldEstimate m_estimate;
    PldPlan m_plan;      ///< tilting exponents and window of the next grid
    double m_cells{0.0}; ///< number of cells of the last grid
    double m_width{0.0}; ///< cell width of the last grid, in nats of privacy loss
    EpsilonBounds m_bounds;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ONE_DIRECTION_BOUND_H
