// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_H
#define DPDL_PRIVACY_PLD_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace dpdl
{

/// What the privacy-loss distribution says of a composition.
struct PldBound
{
    double epsilon{0.0};       ///< certified upper bound, the larger direction; may be infinite
    double removeEpsilon{0.0}; ///< upper bound of the direction "an example is removed"
    double addEpsilon{0.0};    ///< same for "an example is added"; the smaller one is less sharp
    double error{0.0};         ///< estimate of how far epsilon is above the exact value
    bool grouped{false};       ///< true: steps were rounded up to fewer kinds to save time
};

/**
 * @brief Privacy-loss distribution of a multiset of Poisson-sampled Gaussian steps.
 *
 * The loss of each kind of step is put on a grid such that it dominates the true one (Doroshenko et
 * al., 2022), the grids are composed with a fast Fourier transform, and epsilon is read off. This
 * is much tighter than Renyi DP, and still an upper bound: what the finite grid cuts off, what
 * wraps around its ends (a Chernoff bound) and what floating point can have lost are all added to
 * delta before epsilon is computed. Both directions of add/remove adjacency are composed, because
 * either can be the worse one.
 *
 * Renyi DP needs milliseconds, this up to seconds for hundreds of different steps.
 */
class PldComposition
{
  public:
    /**
     * @brief Adds steps.
     * @param rate sampling probability in [0, 1]
     * @param mu sensitivity / noise, finite and at least 0
     * @param count how many such steps
     */
    void Add(double rate, double mu, std::uint64_t count = 1);

    /**
     * @brief The bound for a given delta.
     *
     * The error estimate compares two grids and does not include the rounding up of steps. Below a
     * delta of about 1e-11 rounding errors of the transform make the bound infinite: use
     * RdpComposition there.
     * @param delta in (0, 1)
     * @param mostKinds more kinds of steps than this are rounded up to this many; time grows with
     *        it, by some 10 ms each
     */
    PldBound Bound(double delta, std::size_t mostKinds = 512) const;

  private:
    std::map<std::pair<double, double>, std::uint64_t> m_steps; ///< (rate, mu) to count
    double m_fullMuSquared{0.0};                                ///< steps without sampling
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_H
