// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CONTOUR_H
#define DPDL_PRIVACY_CONTOUR_H

#include "dpdl/privacy/accountant.h"

#include <cstdint>
#include <map>
#include <optional>

namespace dpdl
{

/**
 * @brief The exact privacy curve of Poisson-sampled Gaussian steps, to about ten digits.
 *
 * With M(z) = E[e^(z L)] the moment generating function of the composed privacy loss L, which is a
 * product over the steps,
 *
 *     delta(epsilon) = 1/(2 pi i) integral of M(z) e^(-z epsilon) / (z (z + 1)) dz
 *
 * along any vertical line Re z = c > 0. The line goes near the saddle point, where the integrand is
 * largest on it and does not oscillate much, and the midpoint rule converges geometrically there.
 * There is no grid of losses and no transform, so that a vanishing delta is as accurate as any
 * other.
 *
 * The result is a value and not a bound: its error is controlled, but not proven. Every answer is
 * computed on two lines with their own grids, and given only if both agree; there is none where the
 * integrand does not decay, which happens if few steps have much less noise than sensitivity and
 * leave the loss almost concentrated in a point.
 */
class ContourInversion
{
  public:
    /**
     * @brief Adds steps.
     * @param rate sampling probability in [0, 1]
     * @param mu sensitivity / noise, finite and at least 0
     * @param count how many such steps
     */
    void Add(double rate, double mu, std::uint64_t count = 1);

    /**
     * @brief log delta at an epsilon.
     * @param epsilon at least 0
     * @param direction BOTH: the larger of the two
     * @return -infinity where delta is 0; nothing where the inversion does not converge
     */
    std::optional<double> LogDelta(double epsilon, Direction direction = Direction::BOTH) const;

    /**
     * @brief The smallest epsilon >= 0 that a delta allows.
     * @param delta in (0, 1)
     * @param direction BOTH: the larger of the two
     * @return nothing where the inversion does not converge
     */
    std::optional<double> Epsilon(double delta, Direction direction = Direction::BOTH) const;

  private:
    std::map<double, std::map<double, double>> m_steps; ///< rate to mu to count
    double m_fullMuSquared{0.0};                        ///< steps without sampling
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CONTOUR_H
