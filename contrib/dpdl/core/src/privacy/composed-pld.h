// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COMPOSED_PLD_H
#define DPDL_PRIVACY_COMPOSED_PLD_H

#include "pld-spectrum.h"

namespace dpdl
{

/// Certified upper bound and estimated lower bound of epsilon at one delta.
struct EpsilonBounds
{
    double upper{0.0}; ///< certified upper bound of epsilon; may be infinite
    double lower{0.0}; ///< estimated lower bound of epsilon, >= 0; not proven
};

/**
 * @brief Finds epsilon from the distribution of a composed privacy loss.
 *
 * Let t be the tilting exponent, m(l) the tilted mass at the privacy loss l, and K the log of the
 * moment by which the tilted masses were normalised. Then delta(e) = exp(K) sum over l > e of m(l)
 * exp(-t l) (1 - exp(e - l)). An error E of the masses changes delta(e) by at most exp(K - t e) E
 * t^t / (1 + t)^(1 + t).
 */
class ComposedPld
{
  public:
    /**
     * @param spectrum composition of all steps; the constructor calls its Finish()
     * @param h width of a grid cell, in nats of privacy loss
     * @param tilt tilting exponents with which the spectrum was made
     * @param window range of privacy losses, in nats, that contains nearly all of the tilted mass
     */
    ComposedPld(PldSpectrum& spectrum, double h, const PldTilt& tilt, const PldRange& window);

    /// Certified upper bound of epsilon at @p delta; may be infinite.
    double Upper(double delta) const;

    /// Upper and lower bound of epsilon at @p delta.
    EpsilonBounds Bounds(double delta) const;

  private:
    /// Privacy loss at which the grid's privacy curve (delta as a function of epsilon) equals a
    /// given delta.
    struct Crossing
    {
        double epsilon{0.0};
        std::int64_t index{0}; ///< index of the last grid point at or below epsilon
        /// Sum of m exp(-(t + 1)(l - e)) over privacy losses l >= e, where e is the privacy loss at
        /// index + 1. The description of ComposedPld defines m, t and l.
        double discounted{0.0};
    };

    /**
     * @brief Finds the epsilon at which the privacy curve, plus @p side times the numerical errors,
     *        equals @p delta.
     * @param side 1 for the upper bound, -1 for the lower bound
     */
    Crossing Find(double delta, double side) const;
    /**
     * @brief Epsilon, at most @p above, at which the privacy curve of a grid cell equals delta;
     *        -infinity if the curve is below delta in the whole cell. The class description defines
     *        m, t and l.
     * @param above privacy loss at the cell's upper end
     * @param sum sum of m exp(-t (l - above)) over l >= above
     * @param discounted sum of m exp(-(t + 1)(l - above)) over l >= above
     * @param threshold delta, multiplied by the same factor as @p sum
     */
    double Inside(double above, double sum, double discounted, double threshold) const;
    /// Estimated upper bound, in nats, on the amount by which rounding to the grid raises epsilon;
    /// not proven. If the density of the privacy loss near epsilon is even, a second-order
    /// expansion in the cell width gives the estimate. If the density is uneven, the estimate is
    /// the largest likely shift of the composed privacy loss.
    double Discretisation(const Crossing& crossing) const;
    /// Index into m_masses of the grid point @p index: @p index modulo m_size, in [0, m_size).
    std::int64_t Position(std::int64_t index) const;
    /// Average density, per nat, of the mass m exp(-t (l - o)) in @p cells cells above the grid
    /// point origin + first. The class description defines m, t and l; o is the privacy loss at the
    /// grid point @p origin.
    double Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const;

    std::int64_t m_size;
    double m_h;
    double m_tilt;
    PldTotals m_totals;
    const double* m_masses;  ///< tilted masses of the spectrum; index: cell
    std::int64_t m_first{0}; ///< grid index of the lowest privacy loss
    double m_error{0.0};     ///< upper bound on the error of the tilted curve from mass errors
    double m_missing{0.0};   ///< upper bound on the probability of privacy losses above the grid
    /// Upper bound on the increase of delta by privacy losses below the grid.
    double m_returned{0.0};
};

} // namespace dpdl

#endif // DPDL_PRIVACY_COMPOSED_PLD_H
