// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_ROUNDING_H
#define DPDL_PRIVACY_STEP_ROUNDING_H

#include "dpdl/privacy/privacy-step.h"

namespace dpdl
{

/// Scale of rates on which the effect of a sampled step changes evenly. @param rate in (0, 1)
double RateScale(double rate);

/// Inverse of RateScale().
double RateAt(double scale);

/// Scale of mu on which the effect of a sampled step changes evenly. @param mu > 0
double MuScale(double mu);

/// Inverse of MuScale().
double MuAt(double scale);

/**
 * @brief Merges sampled steps by rounding them up; the result has at least the same privacy loss.
 *
 * mu and the rate are rounded up, which lowers no privacy curve. Sampling at rate q is sampling at
 * q' > q mixed with the reference alone, and divergences are jointly convex. The divergence of two
 * noises also grows with their distance. Values are equidistant on a scale on which the effect of
 * steps changes evenly: a sampled step counts by about rate^2 (exp(mu^2) - 1), and a rate near 1 by
 * its distance from 1.
 */
class StepRounding
{
  public:
    /**
     * @param mu distance of two values of mu, about their ratio minus 1 if mu is small; > 0
     * @param rate distance of two rates, about their ratio minus 1 if they are small; 0: rates are
     *        not rounded
     */
    StepRounding(double mu, double rate)
        : m_mu(mu),
          m_rate(rate)
    {
    }

    /// Rounds a step up. @param step with mu > 0; muReplace scales with mu. Unsampled steps are
    /// unchanged.
    PrivacyStep Up(const PrivacyStep& step) const;

  private:
    double m_mu;   ///< distance of two values of mu
    double m_rate; ///< distance of two rates, or 0
};

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_ROUNDING_H
