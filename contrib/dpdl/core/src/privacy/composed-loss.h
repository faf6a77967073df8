// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COMPOSED_LOSS_H
#define DPDL_PRIVACY_COMPOSED_LOSS_H

#include "fourier.h"
#include "loss-cells.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpdl
{

/// Steps of one kind.
struct Kind
{
    double rate;
    double mu;
    double count;
};

/// A grid for the composed loss: size cells of width h from index first on.
struct Grid
{
    std::int64_t first{0};
    std::size_t size{0};
    double h{0.0};
};

/// The composed loss of many steps on a grid, and what must be added to delta because of it.
class ComposedLoss
{
  public:
    ComposedLoss(const std::vector<Kind>& kinds, LossDirection direction, const Grid& grid);

    /// What must be added to delta: infinite losses and rounding.
    double Extra() const
    {
        return m_extra;
    }

    /// Smallest epsilon >= 0 for which the masses on the grid alone give at most this delta.
    double Epsilon(double budget);

  private:
    std::size_t Position(std::int64_t index) const;
    void Multiply(const LossCells& cells, double count);
    /// Back from the spectrum; bounds the rounding error of any sum of masses by Cauchy-Schwarz.
    void Finish();

    Grid m_grid;
    Fourier m_fourier;
    std::vector<double> m_logSize; ///< repeated kinds: log of the coefficients' absolute values
    std::vector<double> m_angle;   ///< repeated kinds: their arguments
    std::vector<std::complex<double>> m_product; ///< kinds that occur once: the coefficients
    std::vector<double> m_amplified;             ///< growth of a relative error of a coefficient
    double m_extra{0.0};                         ///< to be added to delta
};

} // namespace dpdl

#endif // DPDL_PRIVACY_COMPOSED_LOSS_H
