// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_ROUNDING_H
#define DPDL_PRIVACY_STEP_ROUNDING_H

#include "dpdl/privacy/privacy-step.h"

namespace dpdl
{

/**
 * @brief Replaces sampled steps by fewer ones that cost at least as much.
 *
 * mu and the rate are rounded up, which lowers no privacy curve: sampling at rate q is sampling at
 * q' > q mixed with the reference alone, and divergences are jointly convex; and the divergence of
 * two noises grows with their distance. Values are equally far apart on a scale on which steps
 * change about as much everywhere: a sampled step counts by about rate^2 (exp(mu^2) - 1), and a
 * rate near 1 by how far it is from there.
 */
class StepRounding
{
  public:
    /**
     * @param mu distance of two values of mu, about their ratio minus 1 where mu is small; > 0
     * @param rate distance of two rates, about their ratio minus 1 where they are small; 0: rates
     *        stay as they are
     */
    StepRounding(double mu, double rate)
        : m_mu(mu),
          m_rate(rate)
    {
    }

    /// @param step with mu > 0; muReplace grows with mu. Without sampling it stays as it is.
    PrivacyStep Up(const PrivacyStep& step) const;

  private:
    double m_mu;   ///< distance of two values of mu
    double m_rate; ///< distance of two rates, or 0
};

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_ROUNDING_H
