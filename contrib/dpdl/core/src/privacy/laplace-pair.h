// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LAPLACE_PAIR_H
#define DPDL_PRIVACY_LAPLACE_PAIR_H

#include "dominating-pair.h"

namespace dpdl
{

/**
 * @brief The mixture (1 - q) Lap(0) + q Lap(s) against Lap(0), or the reverse, for sampling rate q
 *        and Laplace noise of scale 1 around 0 and s.
 *
 * This is a Poisson-sampled Laplace step under add/remove adjacency; at rate 1 it is the plain
 * Laplace mechanism. One coordinate is the worst case among all vectors: a change with the same L1
 * norm in several coordinates is not easier to detect.
 *
 * The privacy loss is in [log(1 - q + q e^(-s)), log(1 - q + q e^s)] for REMOVE, with an atom at
 * each end.
 */
class LaplacePair : public DominatingPair
{
  public:
    /// Direction: determines which distribution is P.
    enum class Side
    {
        REMOVE, ///< P is the mixture
        ADD,    ///< P is the distribution around 0
    };

    /**
     * @param rate sampling probability q, in (0, 1]
     * @param shift s, the L1 sensitivity divided by the noise scale; finite, > 0
     * @param side direction: determines which of the two distributions is P
     */
    LaplacePair(double rate, double shift, Side side);

    PldRange Range(double tail) const override;
    void CellMasses(const PldGrid& grid, double* p, double* q) const override;
    double LogMoment(double order) const override;

  private:
    /// Probabilities of the two distributions on one side of a privacy loss of the mixture against
    /// Lap(0).
    struct Cut;

    /**
     * @param loss privacy loss at the cut
     * @param inclusive true: an atom at the cut counts as below it
     */
    Cut CutAt(double loss, bool inclusive) const;

    double m_rate;   ///< sampling probability q
    double m_shift;  ///< shift s of the Laplace distribution
    bool m_remove;   ///< true: P is the mixture
    double m_top;    ///< largest loss of the mixture against Lap(0)
    double m_bottom; ///< smallest loss of the mixture against Lap(0)
};

} // namespace dpdl

#endif // DPDL_PRIVACY_LAPLACE_PAIR_H
