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
    double lower{0.0};         ///< the exact value is not below this
    double removeEpsilon{0.0}; ///< upper bound of the direction "an example is removed"
    double addEpsilon{0.0};    ///< same for "an example is added"; the smaller one is less sharp
};

/**
 * @brief Privacy-loss distribution of a multiset of steps.
 *
 * The loss of each kind of step is put on a grid such that it dominates the true one (Doroshenko et
 * al., 2022), the grids are composed with a fast Fourier transform, and epsilon is read off. This
 * is much tighter than Renyi DP, and still an upper bound: what the finite grid cuts off, what
 * wraps around its ends (a Chernoff bound), what floating point can have lost and what
 * interpolation between steps can have changed are all added to delta before epsilon is computed.
 *
 * Masses are tilted by exp(t * loss) before they are transformed, with t such that the losses that
 * decide about epsilon are the likely ones. Rounding errors are then relative to delta, and delta
 * may be as small as 1e-30.
 *
 * The grid is made finer until the bound is within 1e-4, relative, of a lower bound of the exact
 * value, or 3e-4 for more than 200 kinds of steps that cannot be interpolated. The lower bound
 * rests on an expansion to second order in the cells' width; all else in it is rigorous, as all is
 * in the upper bound.
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
