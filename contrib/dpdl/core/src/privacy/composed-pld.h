// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COMPOSED_PLD_H
#define DPDL_PRIVACY_COMPOSED_PLD_H

#include "pld-spectrum.h"

#include <cmath>

namespace dpdl
{

/// Certified upper bound of epsilon, and an estimated lower bound.
struct EpsilonBounds
{
    double upper{0.0}; ///< certified upper bound; may be infinite
    double lower{0.0}; ///< lower bound, at least 0; estimated by an expansion, not proven
};

/**
 * @brief Reads epsilon off a composed privacy loss.
 *
 * K is the log of the moment that normalised the tilted masses m, and t the tilting exponent. Then
 * delta(e) = exp(K) sum over the losses l > e of m(l) exp(-t l) (1 - exp(e - l)). An error E of the
 * masses changes this by at most exp(K - t e) E t^t / (1 + t)^(1 + t).
 */
class ComposedPld
{
  public:
    /**
     * @param spectrum composition of all steps; the constructor calls its Finish()
     * @param h width of a cell, in units of the loss
     * @param tilt tilting exponents with which the spectrum was made
     * @param window range that holds nearly all of the tilted loss
     */
    ComposedPld(PldSpectrum& spectrum, double h, const PldTilt& tilt, const PldRange& window);

    /// Upper bound of epsilon for a delta.
    double Upper(double delta) const;

    /// Upper and lower bound of epsilon for a delta.
    EpsilonBounds Bounds(double delta) const;

  private:
    /// Intersection of the privacy curve with a delta.
    struct Crossing
    {
        double epsilon{0.0};
        std::int64_t index{0};  ///< grid index just below epsilon
        double discounted{0.0}; ///< sum of m exp(-(t + 1)(l - e)) over l > e at that point
    };

    /// Intersection with delta of the grid's curve plus @p side times all errors of the masses.
    Crossing Find(double delta, double side) const;
    /// Epsilon at which the curve meets delta within a cell, given the sums at the cell's upper
    /// end, the loss @p above; -infinity if it does not.
    double Inside(double above, double sum, double discounted, double threshold) const;
    /// Upper bound on the effect of rounding to the grid on epsilon: of second order in the cell
    /// width if the density is smooth, else the largest shift of the losses.
    double Discretisation(const Crossing& crossing) const;
    /// Index into m_masses of the grid point @p index, modulo m_size.
    std::int64_t Position(std::int64_t index) const;
    /// Average density of the cells above grid point origin + first, relative to the tilting at
    /// origin.
    double Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const;

    std::int64_t m_size;
    double m_h;
    double m_tilt;
    PldTotals m_totals;
    const double* m_masses;  ///< masses of the spectrum
    std::int64_t m_first{0}; ///< grid index of the lowest loss
    double m_error{0.0};     ///< error of the tilted masses, times its largest effect on the curve
    double m_missing{0.0};   ///< probability of losses above the grid
    double m_returned{0.0};  ///< largest addition to delta by losses below the grid
};

} // namespace dpdl

#endif // DPDL_PRIVACY_COMPOSED_PLD_H
