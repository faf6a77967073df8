// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SAMPLED_GAUSSIAN_H
#define DPDL_PRIVACY_SAMPLED_GAUSSIAN_H

#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief Moments E[r^a] of r = 1 - q + q exp(mu x - mu^2/2), x standard normal, at many orders.
 *
 * Everything that does not depend on the order is computed once, on a grid that grows with the
 * largest requested order.
 */
class SampledGaussian
{
  public:
    /**
     * @param rate q in [0, 1]
     * @param mu finite, at least 0
     * @param lowestOrder lowest order that will be requested, if below 0
     */
    SampledGaussian(double rate, double mu, double lowestOrder = 0.0);

    /// log E[r^order] for any order from -20; in extreme cases an upper bound.
    double LogMoment(double order);

  private:
    /// Number of grid points for an order; appends missing points.
    std::size_t PointsFor(double order);
    double DirectSum(double order, std::size_t count) const;
    double ScaledLogSum(double order, std::size_t count) const;

    double m_rate;                      ///< q
    double m_mu;                        ///< mu
    double m_first;                     ///< first grid point
    double m_step;                      ///< distance between grid points
    std::vector<double> m_logRatio;     ///< log r
    std::vector<double> m_excess;       ///< r - 1
    std::vector<double> m_excessWeight; ///< (r - 1) phi(x) step
    std::vector<double> m_weight;       ///< r phi(x) step
    std::vector<double> m_logWeight;    ///< log of m_weight
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SAMPLED_GAUSSIAN_H
