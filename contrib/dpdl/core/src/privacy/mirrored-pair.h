// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MIRRORED_PAIR_H
#define DPDL_PRIVACY_MIRRORED_PAIR_H

#include "dominating-pair.h"

namespace dpdl
{

/**
 * @brief A pair that looks the same with P and Q exchanged, so that it serves both directions.
 *
 * It is given by its losses above 0: the mass of P at a loss below 0 is the mass of Q at the
 * opposite loss, and what is left of the probability has loss 0. A privacy curve that holds for
 * both directions at every epsilon >= 0 is the curve of such a pair: H_a(P||Q) = 1 - a +
 * a H_{1/a}(Q||P) leaves no choice below (Zhu, Dong and Wang, 2022).
 */
class MirroredPair : public DominatingPair
{
  public:
    void CellMasses(const LossGrid& grid, double* p, double* q) const override;
    double LogMoment(double order) const override;

  protected:
    /**
     * @brief Probabilities of the cells above 0 of the grid 0, h, 2h, ...
     * @param cells how many
     * @param h width
     * @param[out] p [cells + 2]: p[i] = P((i-1) h < loss <= i h) for i = 1..cells, p[cells + 1] the
     *             rest above; p[0] is not used
     * @param[out] q the same under Q
     */
    virtual void UpperMasses(std::size_t cells, double h, double* p, double* q) const = 0;

    /**
     * @brief log of |E_Q[r^order] - 1|, an upper bound where it is not exact (ExcessSum).
     * @param order at least 1/2 and not 1
     */
    virtual double LogExcess(double order) const = 0;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MIRRORED_PAIR_H
