// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_CELLS_H
#define DPDL_PRIVACY_PLD_CELLS_H

#include "dominating-pair.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// Negative privacy losses are truncated where tilting would multiply their probability by less
/// than exp(-NEGLIGIBLE_TILT).
constexpr double NEGLIGIBLE_TILT = 60.0;

/// Exponents, all at least 0, for multiplying the masses of a privacy loss by exp(exponent * loss)
/// (exponential tilting), and for Chernoff bounds on its tails.
struct PldTilt
{
    double main{0.0};  ///< cell masses are multiplied by exp(main * loss)
    double above{0.0}; ///< exponent of the Chernoff bound on the mass above the grid
    double below{0.0}; ///< exponent of the Chernoff bound on the mass below the grid
    /// Exponent of the weights exp(local * loss) in PldStatistics::spread and ::raised. The weights
    /// make privacy losses near epsilon the most likely ones.
    double local{0.0};
};

/// Statistics of a discrete privacy loss under exponential tilting.
struct PldStatistics
{
    double infinite{0.0}; ///< probability under P of an infinite privacy loss
    /// Tilted mass of the privacy losses that were raised to the lower end of the range, as a
    /// fraction of the total tilted mass.
    double moved{0.0};
    double logMoment{0.0}; ///< natural logarithm of the sum by which mass was divided
    double logAbove{0.0};  ///< log of the sum of mass * exp(PldTilt::above * loss)
    double logBelow{0.0};  ///< log of the sum of mass * exp(-PldTilt::below * loss)
    /// Variance that rounding to the grid adds to the privacy loss, in nats^2, under weights
    /// exp(PldTilt::local * loss).
    double spread{0.0};
    /// Amount in nats by which rounding raises the mean privacy loss, under weights
    /// exp(PldTilt::local * loss).
    double raised{0.0};
};

/// A discrete privacy loss under exponential tilting: mass[j] is at privacy loss (first + j) * h.
struct PldCells
{
    std::int64_t first{0}; ///< grid index of mass[0]
    /// P-probability times exp(main * loss), normalised to sum 1; mass[j] has loss (first + j) * h
    std::vector<double> mass;
    PldStatistics statistics;
};

/// Discretises the privacy losses of dominating pairs on one grid by "connect the dots". Reuses its
/// memory between calls.
class PldDiscretiser
{
  public:
    /**
     * @param h width of the cells in nats of privacy loss, > 0
     * @param tilt tilting exponents; tilt.main times the largest privacy loss must be below 700
     */
    PldDiscretiser(double h, const PldTilt& tilt);

    /**
     * @brief Computes a discrete privacy loss that dominates the privacy loss of a pair.
     *
     * Each cell's mass is split between its two ends such that the masses of both distributions are
     * preserved. The privacy curve is interpolated from above, with an error of second order in the
     * cell width (Doroshenko et al. 2022, "connect the dots").
     * @param pair pair to discretise
     * @param range interval of privacy losses, in nats. Smaller losses, and losses that tilting
     *        makes negligible, are raised to its lower end. Larger losses become infinite, except
     *        for the part that a loss at its upper end dominates.
     * @return the discrete privacy loss; valid until the next call
     */
    const PldCells& Discretise(const DominatingPair& pair, const PldRange& range);

    /// Width of a grid cell, in nats of privacy loss.
    double Width() const
    {
        return m_h;
    }

  private:
    /// Splits the mass of each cell between the ends of the cell. Leaves untilted masses in
    /// m_cells.mass.
    void Split(std::int64_t first);
    /// Tilts m_cells.mass and computes the statistics.
    void Tilt();

    double m_h;
    PldTilt m_tilt;
    PldCells m_cells;
    std::vector<double> m_p; ///< probabilities of the cells under P; index: cell
    std::vector<double> m_q; ///< probabilities of the cells under Q; index: cell
    /// Element i: up * low / (up + low) of the cell above grid point i. `up` and `low` are the
    /// masses that Split() puts at the upper and the lower end of the cell.
    std::vector<double> m_both;
    /// Element i: untilted probability under P of the cell (l_i, l_{i+1}] between the grid points i
    /// and i + 1, times the mean amount in nats by which Split() raises the privacy losses in the
    /// cell. For narrow cells the mean is a second-order approximation.
    std::vector<double> m_raised;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_CELLS_H
