// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_H
#define DPDL_PRIVACY_PLD_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstdint>

namespace dpdl
{

/// Epsilon bounds from the privacy-loss distribution of a composition.
struct PldBound
{
    double epsilon{0.0}; ///< certified upper bound of the larger direction; may be infinite
    double lower{0.0};   ///< estimated lower bound of the exact value; not proven
    /// Estimated part of epsilon - lower that grouping of steps causes; not proven.
    double grouping{0.0};
};

/**
 * @brief Privacy-loss distribution of a multiset of steps.
 *
 * The loss of each kind of step is discretised on a grid so that it dominates the true loss
 * (Doroshenko et al., 2022). A fast Fourier transform composes the grids, and epsilon is read off.
 * The bound is much tighter than that of Renyi DP. Status of each part:
 *
 * - Proven: the grid's curve is above the true one, and delta includes all that the finite grid
 * truncates or wraps around its ends (Chernoff bounds).
 * - Proven up to a model of rounding: masses of cells are taken to be exact to some 1e-15, and each
 * coefficient of a transform to log2(size) / 2 + 2 machine epsilons. These errors grow through
 * powers and products as rounding errors do, and delta includes the sum. The accuracy of the
 * transforms is an assumption.
 * - Estimated: if many values of mu are interpolated, the interpolation error is measured at values
 * between the nodes, and delta includes four times the largest one.
 *
 * More than some 1500 kinds of steps that cannot be interpolated are grouped. A step is bounded by
 * a public random choice among its four neighbours in a mesh over rate and mu. This is proven
 * (StepMesh) and raises epsilon by about a part in a thousand (PldBound::grouping).
 *
 * Masses are tilted by exp(t * loss) before the transform, with t such that the losses that
 * determine epsilon are likely. Rounding errors are then relative to delta, and delta may be as
 * small as 1e-30.
 *
 * The grid is refined until the bound is within a relative 1e-4 of PldBound::lower, or 3e-4 for
 * more than 200 kinds of steps that cannot be interpolated. That lower value is an estimate: the
 * grid's curve minus all errors and minus the discretisation's effect on epsilon. That effect is a
 * second-order expansion in the cell width, enlarged by a quarter, or four standard deviations of
 * the rounding if the density is uneven. Both factors are empirical. The estimate only decides when
 * to stop; the upper bound does not depend on it.
 */
class PldComposition
{
  public:
    /// @param adjacency neighbouring relation of datasets
    explicit PldComposition(Adjacency adjacency = Adjacency::ADD_REMOVE);

    /**
     * @brief Adds Gaussian steps with Poisson sampling.
     * @param rate sampling probability in [0, 1]; 1: no sampling
     * @param mu sensitivity / noise, finite and at least 0
     * @param count number of these equal steps
     */
    void Add(double rate, double mu, std::uint64_t count = 1);

    /**
     * @brief Adds steps.
     * @param step a step whose dominating pairs are known
     * @param count number of these equal steps
     * @throws std::logic_error if no pairs are known
     */
    void Add(const PrivacyStep& step, std::uint64_t count);

    /**
     * @brief Bounds on the epsilon of all added steps.
     * @param delta delta of the guarantee, in (0, 1)
     * @param direction direction of the comparison; BOTH: the larger epsilon of the two
     */
    PldBound Bound(double delta, Direction direction = Direction::BOTH) const;

  private:
    Adjacency m_adjacency;
    StepCounts m_steps;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_H
