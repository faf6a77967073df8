// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MIRRORED_GAUSSIAN_PAIR_H
#define DPDL_PRIVACY_MIRRORED_GAUSSIAN_PAIR_H

#include "excess-sum.h"
#include "mirrored-pair.h"

namespace dpdl
{

/**
 * @brief A sampled Gaussian step under replace adjacency.
 *
 * With OPPOSITE it is (1 - q) N(0, 1) + q N(mu, 1) against (1 - q) N(0, 1) + q N(-mu, 1): Poisson
 * sampling, where each of the two examples moves the sum by at most mu. That this is the worst case
 * among all pairs of moves u, v follows for a >= 1 from writing H_a as the integral of the positive
 * part of q N(u) - (a - 1)(1 - q) N(0) - a q N(v): it rises with the distances |u| and |u - v| and
 * with the correlation of the two, so it is largest on a line.
 *
 * With STILL the losses above 0 are those of (1 - q) N(0, 1) + q N(mu, 1) against N(0, 1), and
 * those below mirror them: a batch of fixed size drawn without replacement, where a replaced
 * example moves the sum by at most mu (Balle, Barthe and Gaboardi, 2018; Zhu, Dong and Wang, 2022),
 * and Poisson sampling where neither coming nor being replaced moves it by more than mu.
 */
class MirroredGaussianPair : public MirroredPair
{
  public:
    /// Where the replaced example moves the sum.
    enum class Rival
    {
        STILL,    ///< nowhere
        OPPOSITE, ///< as far as the other one, the other way
    };

    /**
     * @param rate q in (0, 1)
     * @param mu finite, > 0
     * @param rival what the example is replaced by
     */
    MirroredGaussianPair(double rate, double mu, Rival rival);

    LossRange Range(double tail) const override;

  protected:
    void UpperMasses(std::size_t cells, double h, double* p, double* q) const override;
    double LogExcess(double order) const override;

  private:
    /// The point at a distance t >= 0 from where the loss is 0.
    LossPoint At(double t) const;
    /// Where the loss takes a value >= 0.
    double Inverse(double loss) const;

    double m_rate;      ///< q
    double m_mu;        ///< mu
    bool m_opposite;    ///< the rival moves the sum, too
    double m_half;      ///< half the distance of the example and its rival
    double m_centre;    ///< the x where the loss is 0
    ExcessSum m_excess; ///< moments
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MIRRORED_GAUSSIAN_PAIR_H
