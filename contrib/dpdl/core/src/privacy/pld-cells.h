// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_CELLS_H
#define DPDL_PRIVACY_PLD_CELLS_H

#include "dominating-pair.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// Losses are truncated if tilting reduces their probability below exp(-NEGLIGIBLE_TILT).
constexpr double NEGLIGIBLE_TILT = 60.0;

/// Exponents for tilting the losses of a composition and for bounding its tails; all at least 0.
struct PldTilt
{
    double main{0.0};  ///< masses are multiplied by exp(main * loss)
    double above{0.0}; ///< exponent of the Chernoff bound on the mass above the grid
    double below{0.0}; ///< exponent of the Chernoff bound on the mass below the grid
    /// Exponent of the weights of `spread` and `raised`: makes losses near epsilon likely.
    double local{0.0};
};

/// A discrete privacy loss under exponential tilting: mass[j] at loss (first + j) * h.
struct PldCells
{
    std::int64_t first{0};    ///< grid index of the first mass
    std::vector<double> mass; ///< P-probability * exp(main * loss), divided by its sum
    double infinite{0.0};     ///< P-probability moved to an infinite loss
    double moved{0.0};        ///< tilted mass of losses below the range, moved up to its end
    double logMoment{0.0};    ///< log of the sum by which mass was divided
    double logAbove{0.0};     ///< log sum of mass * exp(above * loss)
    double logBelow{0.0};     ///< log sum of mass * exp(-below * loss)
    double spread{0.0};       ///< largest variance added by rounding; weights exp(local * loss)
    double raised{0.0};       ///< largest rise of the mean by rounding; weights exp(local * loss)
};

/// Discretises pairs on one grid ("connect the dots"); reuses its memory.
class PldDiscretiser
{
  public:
    /**
     * @param h width of the cells in units of the loss, > 0
     * @param tilt exponents; main times any requested loss must stay below 700
     */
    PldDiscretiser(double h, const PldTilt& tilt);

    /**
     * @brief Computes a discrete loss that dominates the loss of a pair.
     *
     * Each cell's mass is split between its two ends such that the masses of both distributions are
     * preserved. The privacy curve is interpolated from above with an error of order h^2
     * (Doroshenko et al. 2022, "connect the dots").
     * @param pair pair to discretise
     * @param range losses above it count as infinite, losses below it move up to its lower end;
     *        losses made negligible by tilting are also truncated
     * @return valid until the next call
     */
    const PldCells& Discretise(const DominatingPair& pair, const PldRange& range);

    /// Width of a grid cell, in units of the loss.
    double Width() const
    {
        return m_h;
    }

  private:
    /// Splits the masses of the cells; leaves untilted masses in m_cells.mass.
    void Split(std::int64_t first);
    /// Applies the exponents and computes the sums.
    void Tilt();

    double m_h;
    PldTilt m_tilt;
    PldCells m_cells;
    std::vector<double> m_p;      ///< probabilities of the cells under P
    std::vector<double> m_q;      ///< probabilities of the cells under Q
    std::vector<double> m_both;   ///< up * lower / (up + lower) of the cell above a node
    std::vector<double> m_raised; ///< mass times mean rise in the cell above a node
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_CELLS_H
