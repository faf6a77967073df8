// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_CELLS_H
#define DPDL_PRIVACY_LOSS_CELLS_H

#include "dominating-pair.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// Losses that tilting makes less likely than exp(-NEGLIGIBLE_TILT) are cut off.
constexpr double NEGLIGIBLE_TILT = 60.0;

/// Exponents of the moments that a composition needs; all at least 0.
struct LossTilt
{
    double main{0.0};  ///< masses are multiplied by exp(main * loss)
    double above{0.0}; ///< for a Chernoff bound of what is above the grid
    double below{0.0}; ///< for a Chernoff bound of what is below it
    double local{0.0}; ///< makes the losses likely that are met at the epsilon looked for
};

/// A discrete privacy loss under exponential tilting: mass[j] at loss (first + j) * h.
struct LossCells
{
    std::int64_t first{0};    ///< grid index of the first mass
    std::vector<double> mass; ///< P-probability * exp(main * loss), divided by its sum
    double infinite{0.0};     ///< P-probability that was moved to an infinite loss
    double moved{0.0};        ///< tilted mass of losses below the range, moved up to its end
    double logMoment{0.0};    ///< log of the sum that mass was divided by
    double logAbove{0.0};     ///< log sum of mass * exp(above * loss)
    double logBelow{0.0};     ///< log sum of mass * exp(-below * loss)
    double spread{0.0};       ///< at most how much variance rounding adds, under exp(local * loss)
    double raised{0.0};       ///< at most how far it raises the mean, under exp(local * loss)
};

/// Connects the dots of pairs on one grid; keeps its memory from one pair to the next.
class LossDiscretiser
{
  public:
    /**
     * @param h width of the cells, > 0
     * @param tilt exponents; main times any loss asked for must stay below 700
     */
    LossDiscretiser(double h, const LossTilt& tilt);

    /**
     * @brief A discrete loss that dominates the one of a pair.
     *
     * Each cell's mass is split between its two ends such that the masses of both distributions are
     * kept: the privacy curve is interpolated from above and the error is of order h^2 (Doroshenko
     * et al. 2022, "connect the dots").
     * @param pair whose loss
     * @param range what is above counts as infinite, what is below as its lower end; losses that
     *        tilting makes negligible are also cut off
     * @return valid until the next call
     */
    const LossCells& Discretise(const DominatingPair& pair, const LossRange& range);

    /// Width of the cells.
    double Width() const
    {
        return m_h;
    }

  private:
    /// Splits the masses of the cells; leaves untilted masses in m_cells.mass.
    void Split(std::int64_t first);
    /// Applies the exponents and sums up.
    void Tilt();

    double m_h;
    LossTilt m_tilt;
    LossCells m_cells;
    std::vector<double> m_p;      ///< P-masses of the cells
    std::vector<double> m_q;      ///< Q-masses of the cells
    std::vector<double> m_both;   ///< up * lower / (up + lower) of the cell above a node
    std::vector<double> m_raised; ///< mass times mean rise in the cell above a node
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_CELLS_H
