// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SMOOTH_LOSS_H
#define DPDL_PRIVACY_SMOOTH_LOSS_H

#include "composed-loss.h"

#include <complex>
#include <vector>

namespace dpdl
{

/// What the sums of SmoothLoss need of a grid: for each coefficient, sums over all losses above.
class SmoothSums
{
  public:
    /**
     * @param size number of cells
     * @param h width of a cell
     * @param tilt exponent of the masses, > 0
     */
    SmoothSums(std::size_t size, double h, double tilt);

  private:
    friend class SmoothLoss;

    /// sum over d >= 1 of exp(-exponent d h) e^(2 pi i k d / size)
    std::complex<double> Above(double exponent, std::size_t k) const;

    double m_size;
    double m_h;
    std::vector<std::complex<double>> m_plain;      ///< for the exponent tilt, real part counted
    std::vector<std::complex<double>> m_discounted; ///< for the exponent tilt + 1
};

/**
 * @brief Reads epsilon off a composed loss of which few coefficients are left.
 *
 * Sums of masses with exponential weights are geometric sums for each coefficient: no transform is
 * needed, and the curve is known at any grid point at a cost by the number of coefficients. What
 * rounding may add to such a sum is charged in addition.
 */
class SmoothLoss : public ComposedLoss
{
  public:
    /**
     * @param spectrum all steps
     * @param sums of the spectrum's grid and main exponent
     * @param h width of a cell
     * @param tilt the exponents of the spectrum
     * @param window where nearly all of the tilted loss is expected
     */
    SmoothLoss(const LossSpectrum& spectrum,
               const SmoothSums& sums,
               double h,
               const LossTilt& tilt,
               const LossRange& window);

  protected:
    Crossing Find(double delta, double side) const override;
    double Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const override;

  private:
    /// Sums over the losses above a grid point.
    struct Sums
    {
        double curve{0.0};      ///< of m exp(-t d)(1 - exp(-d)), d the distance
        double discounted{0.0}; ///< of m exp(-(t + 1) d)
    };

    /// The same over all periods of the masses; the first one without the factor 1 - exp(-d).
    Sums Periodic(std::int64_t index) const;
    Sums At(std::int64_t index) const;

    std::vector<std::complex<double>> m_plain;
    std::vector<std::complex<double>> m_discounted;
    Sums m_beyond; ///< Periodic() at the highest grid point
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SMOOTH_LOSS_H
