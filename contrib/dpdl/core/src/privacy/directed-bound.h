// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_DIRECTED_BOUND_H
#define DPDL_PRIVACY_DIRECTED_BOUND_H

#include "composed-loss.h"
#include "loss-outline.h"

namespace dpdl
{

/// Distance of the bounds, relative to epsilon, that the accountant wants for few kinds of steps,
constexpr double SHARP = 1e-4;
/// and for more than MANY_KINDS of them.
constexpr double LESS_SHARP = 3e-4;
constexpr std::size_t MANY_KINDS = 200;
/// No bounds need to be closer to each other than this.
constexpr double SHARP_ENOUGH = 2e-7;

/// Bounds epsilon of one direction of a composition, as sharply as is asked for.
class DirectedBound
{
  public:
    /**
     * @param kinds the steps, at least one; must outlive this object
     * @param delta in (0, 1)
     */
    DirectedBound(const LossKinds& kinds, double delta);

    /// Approximate epsilon, at no cost.
    double Estimate() const
    {
        return m_outline.Epsilon();
    }

    /**
     * @brief Narrows the bounds.
     *
     * Grids are made finer until the bounds are close enough or the finest one has been tried.
     * @param relative wanted distance of the bounds, relative to epsilon
     * @param enough stops also once the upper bound is not above this
     * @return the bounds, never wider than before
     */
    const EpsilonBounds& Refine(double relative, double enough = -1.0);

    /// The bounds so far.
    const EpsilonBounds& Bounds() const
    {
        return m_bounds;
    }

    /// An estimate of how far meshes have raised both bounds.
    double Grouping() const;

    /// What is known at no cost.
    const LossOutline& Outline() const
    {
        return m_outline;
    }

    /// Width of a cell of the last grid, after Refine().
    double CellWidth() const
    {
        return m_width;
    }

  private:
    EpsilonBounds Evaluate(std::size_t size) const;
    /// Cells of a first, coarse grid for a wanted distance of the bounds.
    double FirstCells(double distance) const;

    const LossKinds& m_kinds;
    double m_delta;
    LossOutline m_outline;
    LossPlan m_plan;     ///< for the next grid
    double m_cells{0.0}; ///< of the last grid
    double m_width{0.0}; ///< see CellWidth()
    EpsilonBounds m_bounds;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_DIRECTED_BOUND_H
