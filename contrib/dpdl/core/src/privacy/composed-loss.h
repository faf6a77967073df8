// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COMPOSED_LOSS_H
#define DPDL_PRIVACY_COMPOSED_LOSS_H

#include "loss-spectrum.h"

#include <cmath>

namespace dpdl
{

/// A bound of the exact epsilon, and an estimate from below.
struct EpsilonBounds
{
    double upper{0.0}; ///< certified; may be infinite
    double lower{0.0}; ///< at least 0; rests on an expansion
};

/**
 * @brief Reads epsilon off a composed loss.
 *
 * With K the log of the moment that the tilted masses m were divided by and t the tilting,
 * delta(e) = exp(K) sum over the losses l > e of m(l) exp(-t l) (1 - exp(e - l)). An error E of the
 * masses changes this by at most exp(K - t e) E t^t / (1 + t)^(1 + t).
 */
class ComposedLoss
{
  public:
    /**
     * @param spectrum all steps; finished here
     * @param h width of a cell
     * @param tilt the exponents of the spectrum
     * @param window where nearly all of the tilted loss is expected
     */
    ComposedLoss(LossSpectrum& spectrum, double h, const LossTilt& tilt, const LossRange& window);
    virtual ~ComposedLoss() = default;

    /// The upper bound of epsilon for a delta.
    double Upper(double delta) const;

    /// Both bounds of epsilon for a delta.
    EpsilonBounds Bounds(double delta) const;

  protected:
    /// Where a curve passes a delta.
    struct Crossing
    {
        double epsilon{0.0};
        std::int64_t index{0};  ///< the grid point below
        double discounted{0.0}; ///< sum of m exp(-(t + 1)(l - e)) over l > e at that point
    };

    /// For a class that has the masses in another form.
    ComposedLoss(const LossTotals& totals,
                 std::size_t size,
                 double h,
                 const LossTilt& tilt,
                 const LossRange& window);

    /// log of the tilted curve's value at loss 0 that stands for a delta.
    double LogThreshold(double delta, double side) const
    {
        return std::log(delta) - m_totals.logMoment - side * m_totals.logSlack;
    }

    /// The grid's curve plus side times all errors of the masses.
    virtual Crossing Find(double delta, double side) const;
    /// The epsilon above a grid point with the sums of the point above it.
    double Inside(double above, double sum, double discounted, double threshold) const;
    /// How far rounding to the grid may have raised epsilon: to second order in its width where
    /// the density is smooth, else by how far the losses may have moved.
    double Discretisation(const Crossing& crossing) const;
    /// Where the mass of a grid point is.
    std::int64_t Position(std::int64_t index) const;
    /// Average density above the grid point origin + first, relative to the tilting at origin.
    virtual double Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const;

    const double* m_masses{nullptr};
    std::int64_t m_size;
    double m_h;
    double m_tilt;
    LossTotals m_totals;
    std::int64_t m_first{0}; ///< grid index of the lowest loss
    double m_error{0.0};     ///< of the masses, times the largest factor
    double m_missing{0.0};   ///< probability of losses above the grid
    double m_returned{0.0};  ///< what losses below the grid may add to delta
};

} // namespace dpdl

#endif // DPDL_PRIVACY_COMPOSED_LOSS_H
