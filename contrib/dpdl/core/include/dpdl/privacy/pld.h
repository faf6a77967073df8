// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_H
#define DPDL_PRIVACY_PLD_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstdint>

namespace dpdl
{

/// Bounds on epsilon from the privacy-loss distribution of a composition.
struct PldBound
{
    /// Certified upper bound; for Direction::BOTH the larger of both directions. May be infinite.
    double epsilon{0.0};
    double lower{0.0}; ///< estimated lower bound of the exact epsilon; not proven
    /// Estimated amount by which grouping steps on a mesh raises epsilon; not proven. 0: not
    /// grouped.
    double grouping{0.0};
};

/**
 * @brief Privacy-loss distribution of a multiset of steps.
 *
 * The privacy loss of each kind of step is discretised on a grid. The discretised privacy loss
 * dominates the true privacy loss (Doroshenko et al., 2022). A fast Fourier transform composes the
 * distributions, and epsilon is computed from the result. The bound is much tighter than that of
 * Renyi DP. Status of each part of the error:
 *
 * - Proven: the discretised curve delta(epsilon) is above the true curve, and delta includes all
 *   mass that the finite grid truncates or wraps around its ends (Chernoff bounds).
 * - Proven up to a model of rounding: the masses of grid cells are assumed to have relative errors
 *   of about 1e-15, and each coefficient of a transform log2(size) / 2 + 2 machine epsilons. The
 *   errors are propagated through powers and products, and delta includes their sum.
 * - Estimated: if the spectra of steps with many different mu are interpolated, the interpolation
 *   error is measured between the interpolation nodes, and delta includes four times the largest
 *   measured error.
 *
 * If more than about 1500 kinds of steps cannot be interpolated, they are grouped. A step is
 * bounded by a public random choice among its four neighbours in a mesh over sampling rate and mu.
 * The bound is proven (MeshKinds()) and raises epsilon by a relative amount of about 1e-3
 * (PldBound::grouping).
 *
 * Masses are multiplied by exp(t * privacy loss) before the transform, with t such that the privacy
 * losses that determine epsilon become likely. Rounding errors are then relative to delta, and
 * delta may be as small as 1e-30.
 *
 * The grid is refined until PldBound::epsilon is within a relative 1e-4 of PldBound::lower, or 3e-4
 * for more than 200 kinds of steps that cannot be interpolated. PldBound::lower is an estimate:
 * epsilon of the discretised curve minus all errors, minus the effect of the discretisation on
 * epsilon. This effect is estimated as 5/4 of a second-order expansion in the cell width. If the
 * density of the privacy loss is uneven, it is estimated as four standard deviations of the
 * rounding to cells. Both factors are empirical. The estimate only determines the end of the
 * refinement; the upper bound does not depend on it.
 */
class PldComposition
{
  public:
    /// @param adjacency neighbouring relation of datasets
    explicit PldComposition(Adjacency adjacency = Adjacency::ADD_REMOVE);

    /**
     * @brief Adds Gaussian steps with Poisson sampling.
     * @param rate sampling probability in [0, 1]; 1: no sampling
     * @param mu sensitivity / noise standard deviation, finite and at least 0
     * @param count number of these equal steps
     */
    void Add(double rate, double mu, std::uint64_t count = 1);

    /**
     * @brief Adds equal steps of any kind.
     * @param step a step with known dominating pairs (WhyNoPairs() returns "")
     * @param count number of these equal steps
     * @throws std::logic_error if WhyNoPairs() does not return ""
     */
    void Add(const PrivacyStep& step, std::uint64_t count);

    /**
     * @brief Computes bounds on the epsilon of all added steps.
     * @param delta delta of the guarantee, in (0, 1)
     * @param direction direction of the comparison; BOTH: the larger epsilon of REMOVE and ADD
     */
    PldBound Bound(double delta, Direction direction = Direction::BOTH) const;

  private:
    Adjacency m_adjacency;
    StepCounts m_steps;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_H
