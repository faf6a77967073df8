// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_POISSON_GAUSSIAN_PAIR_H
#define DPDL_PRIVACY_POISSON_GAUSSIAN_PAIR_H

#include "dominating-pair.h"
#include "sampled-gaussian.h"

#include <mutex>

namespace dpdl
{

/**
 * @brief Dominating pair of a Poisson-sampled Gaussian step for the add-or-remove neighbouring
 *        relation: (1 - q) N(0, 1) + q N(mu, 1) against N(0, 1), or the reverse.
 *
 * q is the sampling rate (Zhu, Dong and Wang, 2022). At rate 1 the pair is that of the Gaussian
 * mechanism.
 */
class PoissonGaussianPair : public DominatingPair
{
  public:
    /// Choice of P: the output with the example (REMOVE) or without it (ADD).
    enum class Side
    {
        REMOVE, ///< P is the mixture (1 - q) N(0, 1) + q N(mu, 1), and Q is N(0, 1)
        ADD,    ///< P is N(0, 1), and Q is the mixture
    };

    /**
     * @param rate sampling probability q, in (0, 1]
     * @param mu L2 sensitivity divided by the noise's standard deviation; finite, > 0
     * @param side REMOVE: the mixture is P; ADD: N(0, 1) is P
     */
    PoissonGaussianPair(double rate, double mu, Side side);

    PldRange Range(double tail) const override;
    void CellMasses(const PldGrid& grid, double* p, double* q) const override;
    double LogMoment(double order) const override;

  private:
    /// Privacy loss of the mixture against N(0, 1) at x: log(1 - q + q exp(mu x - mu^2/2)).
    double LossAt(double x) const;
    /// The x at which LossAt(x) is @p loss; -infinity if LossAt() is always larger.
    double Inverse(double loss) const;

    double m_rate;
    double m_mu;
    bool m_remove;
    mutable std::mutex m_mutex;        ///< guards m_moments, which computes its grid on demand
    mutable SampledGaussian m_moments; ///< moments under N(0, 1) of r = exp(LossAt())
};

} // namespace dpdl

#endif // DPDL_PRIVACY_POISSON_GAUSSIAN_PAIR_H
