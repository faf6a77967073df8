// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MIRRORED_LAPLACE_PAIR_H
#define DPDL_PRIVACY_MIRRORED_LAPLACE_PAIR_H

#include "excess-sum.h"
#include "laplace-pair.h"
#include "mirrored-pair.h"

namespace dpdl
{

/**
 * @brief A sampled Laplace step under replace adjacency: an upper bound.
 *
 * The losses above 0 are those of (1 - q) Lap(0) + q Lap(s) against Lap(0), scale 1, and those
 * below mirror them. For batches of fixed size see Balle, Barthe and Gaboardi (2018). With Poisson
 * sampling the privacy curve of the replaced example splits by convexity into comparisons with no
 * example and with the other one; s bounds both.
 */
class MirroredLaplacePair : public MirroredPair
{
  public:
    /**
     * @param rate q in (0, 1)
     * @param shift L1 distance when an example is replaced / scale; finite, > 0
     */
    MirroredLaplacePair(double rate, double shift);

    LossRange Range(double tail) const override;

  protected:
    void UpperMasses(std::size_t cells, double h, double* p, double* q) const override;
    double LogExcess(double order) const override;

  private:
    LaplacePair m_upper; ///< its losses above 0 count
    double m_shift;      ///< s
    double m_top;        ///< the largest loss
    ExcessSum m_excess;  ///< moments
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MIRRORED_LAPLACE_PAIR_H
