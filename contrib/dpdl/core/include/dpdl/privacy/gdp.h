// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_GDP_H
#define DPDL_PRIVACY_GDP_H

namespace dpdl
{

/**
 * @file
 * Gaussian differential privacy (Dong, Roth and Su, JRSS-B 2022): a mechanism is mu-GDP if telling
 * two neighbouring datasets apart from its output is no easier than telling N(0, 1) from N(mu, 1).
 * The functions convert between mu and (epsilon, delta) without loss: the curve
 *
 *     delta(epsilon) = Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2)
 *
 * is exact for a Gaussian mechanism. The functions never form e^epsilon or a vanishing tail, so any
 * epsilon and any positive delta work.
 */

/**
 * @brief Natural logarithm of delta of a mu-GDP mechanism, even if delta underflows.
 * @param epsilon at least 0
 * @param mu at least 0; 0 gives -infinity
 */
double GdpLogDelta(double epsilon, double mu);

/**
 * @brief The smallest epsilon for which a mu-GDP mechanism is (epsilon, delta)-DP.
 * @param mu at least 0
 * @param delta in (0, 1)
 * @return epsilon >= 0; infinity for infinite mu
 */
double GdpEpsilon(double mu, double delta);

/**
 * @brief The largest mu for which a mu-GDP mechanism is (epsilon, delta)-DP.
 *
 * Sensitivity divided by this is the smallest Gaussian noise that meets (epsilon, delta), the
 * analytic Gaussian mechanism of Balle and Wang (ICML 2018).
 * @param epsilon at least 0
 * @param delta in (0, 1)
 * @return mu > 0; infinity for infinite epsilon
 */
double GdpMu(double epsilon, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_GDP_H
