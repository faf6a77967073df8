// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_TILTED_COMPOSITION_H
#define DPDL_PRIVACY_TILTED_COMPOSITION_H

#include "tilted-loss.h"

#include <complex>
#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/// Poisson-sampled Gaussian steps: rate in (0, 1) to mu to count.
using SampledSteps = std::map<double, std::map<double, double>>;

/**
 * @brief Moments E[e^(z L)] of the loss of a composition, in one direction.
 *
 * Many values of mu are replaced by Chebyshev nodes, see QuadratureOver.
 */
class TiltedComposition
{
  public:
    /**
     * @param steps sampled steps
     * @param fullMuSquared sum of mu^2 over the steps without sampling
     * @param remove direction
     * @param nodes that stand for many values of mu
     */
    TiltedComposition(const SampledSteps& steps, double fullMuSquared, bool remove, int nodes);

    /// The loss is below; infinity if it is not bounded.
    double LargestLoss() const
    {
        return m_largest;
    }

    /// log E[e^(c L)], real c >= 0.
    double LogMoment(double c) const;

    /**
     * @brief Fixes the real part of z.
     * @param c > 0
     */
    void Tilt(double c);

    /**
     * @brief Sets sum[j] to log E[e^(z L)] for Im z = first + j step; blocks follow one another.
     * @return points of the sums times nodes: what it cost
     */
    double LogMoments(double first, double step, std::vector<std::complex<double>>& sum);

    /// What a line may cost.
    double MostWork() const;

    /// About what a block of nodes up to an imaginary part costs.
    double Work(double imaginary, std::size_t count) const;

  private:
    struct Kind
    {
        TiltedLoss loss;
        double weight;
    };

    std::vector<Kind> m_kinds;
    double m_square;  ///< mu^2 of the steps without sampling
    double m_largest; ///< see LargestLoss()
    double m_c{0.0};  ///< Re z
};

} // namespace dpdl

#endif // DPDL_PRIVACY_TILTED_COMPOSITION_H
