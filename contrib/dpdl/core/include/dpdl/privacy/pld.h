// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_H
#define DPDL_PRIVACY_PLD_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstdint>

namespace dpdl
{

/// What the privacy-loss distribution says of a composition.
struct PldBound
{
    double epsilon{0.0};       ///< certified upper bound, the larger direction; may be infinite
    double lower{0.0};         ///< estimate of what the exact value is not below; not proven
    double grouping{0.0};      ///< part of epsilon - lower that is from grouping steps, not proven
    double removeEpsilon{0.0}; ///< upper bound of the direction "an example is removed"
    double addEpsilon{0.0};    ///< same for "an example is added"; the smaller one is less sharp
};

/**
 * @brief Privacy-loss distribution of a multiset of steps.
 *
 * The loss of each kind of step is put on a grid such that it dominates the true one (Doroshenko et
 * al., 2022), the grids are composed with a fast Fourier transform, and epsilon is read off. This
 * is much tighter than Renyi DP, and still an upper bound. How far each part of it is proven:
 *
 * - Proven: the grid's curve is above the true one, and delta is charged with all that the finite
 *   grid cuts off or wraps around its ends (Chernoff bounds).
 * - Proven up to a model of rounding: masses of cells are taken to be exact to some 1e-15, and
 *   each coefficient of a transform to log2(size) / 2 + 2 machine epsilons, which grow through
 *   powers and products as rounding errors do. What that adds up to is charged to delta. That no
 *   transform is less accurate is assumed.
 * - Estimated: where many values of mu are interpolated, the error of interpolation is measured at
 *   values between the nodes, and four times the largest one is charged.
 *
 * More than some 1500 kinds of steps that cannot be interpolated are grouped: a step is bounded by
 * a public random choice among the four steps around it in a mesh over rate and mu, which is proven
 * (StepMesh), and raises epsilon by about a part in a thousand (PldBound::grouping).
 *
 * Masses are tilted by exp(t * loss) before they are transformed, with t such that the losses that
 * decide about epsilon are the likely ones. Rounding errors are then relative to delta, and delta
 * may be as small as 1e-30.
 *
 * The grid is made finer until the bound is within 1e-4, relative, of PldBound::lower, or 3e-4 for
 * more than 200 kinds of steps that cannot be interpolated. That value is an estimate: the grid's
 * curve less all errors, less what the grid has raised epsilon by. The latter is an expansion to
 * second order in the cells' width, enlarged by a quarter, or four standard deviations of the
 * rounding where the density is uneven; both factors come from experience. It says when to stop and
 * how sharp the upper bound is. The upper bound does not rest on it.
 */
class PldComposition
{
  public:
    /// @param adjacency which datasets are neighbours
    explicit PldComposition(Adjacency adjacency = Adjacency::ADD_REMOVE);

    /**
     * @brief Adds Gaussian steps with Poisson sampling.
     * @param rate sampling probability in [0, 1]; 1: no sampling
     * @param mu sensitivity / noise, finite and at least 0
     * @param count how many such steps
     */
    void Add(double rate, double mu, std::uint64_t count = 1);

    /**
     * @brief Adds steps.
     * @param step one whose dominating pairs are known
     * @param count how many such steps
     * @throws std::logic_error if no pairs are known
     */
    void Add(const PrivacyStep& step, std::uint64_t count);

    /**
     * @brief The bound for a given delta.
     * @param delta in (0, 1)
     * @param direction BOTH: the larger epsilon of the two
     */
    PldBound Bound(double delta, Direction direction = Direction::BOTH) const;

  private:
    Adjacency m_adjacency;
    StepCounts m_steps;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_H
