// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LAPLACE_PAIR_H
#define DPDL_PRIVACY_LAPLACE_PAIR_H

#include "dominating-pair.h"

namespace dpdl
{

/**
 * @brief Dominating pair of a Poisson-sampled Laplace step for the add-or-remove neighbouring
 *        relation: (1 - q) Lap(0) + q Lap(s) against Lap(0), or the reverse.
 *
 * q is the sampling rate; Lap(x) has scale 1 and centre x. At rate 1 the pair is that of the
 * Laplace mechanism. One coordinate is the worst case among all vectors: a change with the same L1
 * norm in several coordinates is not easier to detect.
 *
 * For REMOVE the privacy loss is in [log(1 - q + q e^(-s)), log(1 - q + q e^s)], and each end of
 * this interval has a positive probability (an atom). For ADD the privacy loss is in the negated
 * interval.
 */
class LaplacePair : public DominatingPair
{
  public:
    /// Choice of P: the output with the example (REMOVE) or without it (ADD).
    enum class Side
    {
        REMOVE, ///< P is the mixture (1 - q) Lap(0) + q Lap(s), and Q is Lap(0)
        ADD,    ///< P is Lap(0), and Q is the mixture
    };

    /**
     * @param rate sampling probability q, in (0, 1]
     * @param shift s, the L1 sensitivity divided by the noise scale; finite, > 0
     * @param side REMOVE: the mixture is P; ADD: Lap(0) is P
     */
    LaplacePair(double rate, double shift, Side side);

    PldRange Range(double tail) const override;
    void CellMasses(const PldGrid& grid, double* p, double* q) const override;
    double LogMoment(double order) const override;

  private:
    /// Probability of Lap(s) below a point, and probability of Lap(0) above that point.
    struct Cut;

    /**
     * @brief Probabilities at the point where the mixture's privacy loss against Lap(0) is @p loss.
     * @param loss privacy loss, in nats
     * @param inclusive true: an atom at this loss counts as below the point
     */
    Cut CutAt(double loss, bool inclusive) const;

    double m_rate;   ///< sampling probability q
    double m_shift;  ///< shift s: L1 sensitivity divided by the noise scale
    bool m_remove;   ///< true: direction REMOVE, P is the mixture
    double m_top;    ///< largest privacy loss of the mixture against Lap(0), in nats
    double m_bottom; ///< smallest privacy loss of the mixture against Lap(0), in nats
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LAPLACE_PAIR_H
