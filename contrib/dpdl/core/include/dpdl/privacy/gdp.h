// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_GDP_H
#define DPDL_PRIVACY_GDP_H

#include <vector>

namespace dpdl
{

/**
 * @file Gaussian differential privacy (Dong, Roth and Su, JRSS-B 2022): a mechanism is mu-GDP if
 * its outputs on two neighbouring datasets are at least as hard to distinguish as N(0, 1) and N(mu,
 * 1). The functions convert between mu and (epsilon, delta). The curve
 *
 *     delta(epsilon) = Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2)
 *
 * is exact for a Gaussian mechanism; Phi is the standard normal distribution function. The
 * functions avoid overflow of e^epsilon and underflow of tail probabilities, so they accept any
 * epsilon >= 0 and any delta > 0.
 */

/**
 * @brief Natural logarithm of the delta of a mu-GDP mechanism at a given epsilon. The logarithm is
 *        finite even if delta underflows.
 * @param epsilon at least 0
 * @param mu sensitivity / noise standard deviation, at least 0; 0 gives -infinity
 */
double GdpLogDelta(double epsilon, double mu);

/**
 * @brief The smallest epsilon for which a mu-GDP mechanism is (epsilon, delta)-DP.
 * @param mu at least 0
 * @param delta delta of the guarantee, in (0, 1)
 * @return epsilon >= 0; infinity for infinite mu
 */
double GdpEpsilon(double mu, double delta);

/**
 * @brief The largest mu for which a mu-GDP mechanism is (epsilon, delta)-DP.
 *
 * The sensitivity divided by this mu is the smallest standard deviation of Gaussian noise that
 * meets (epsilon, delta): the analytic Gaussian mechanism of Balle and Wang (ICML 2018).
 * @param epsilon at least 0
 * @param delta delta of the guarantee, in (0, 1)
 * @return mu > 0; infinity for infinite epsilon
 */
double GdpMu(double epsilon, double delta);

/**
 * @file
 * The central-limit composition of Poisson-sampled Gaussian steps (Bu, Dong, Long and Su, 2020; Du
 * et al., 2021). Dyn-D2P calibrates its noise with it (Zhu et al., IJCAI 2025, Prop. 3, eq. 8, 9):
 *
 *     mu_total = sqrt( sum_k p_k^2 (exp(mu_k^2) - 1) )
 *
 * Here p_k is the sampling probability of step k and mu_k its sensitivity / noise standard
 * deviation. The formula is a limit, which may be far below the true mu if few steps include a
 * given example. CltKappa() measures the error of the limit. Report these numbers as claims, never
 * as guarantees.
 */

/**
 * @brief The mu_total that the central-limit formula claims for Poisson-sampled steps.
 * @param mu per step: sensitivity / noise standard deviation, at least 0
 * @param rate per step: sampling probability in [0, 1]; same length
 * @return mu_total >= 0; infinity if the formula overflows
 */
double CltMu(const std::vector<double>& mu, const std::vector<double>& rate);

/**
 * @brief The mu_total that the central-limit formula claims for batches of a fixed size.
 *
 * sqrt( sum_k 2 p_k^2 (exp(mu_k^2) Phi(3 mu_k / 2) + 3 Phi(-mu_k / 2) - 2) ) for batches that are
 * drawn without replacement (Bu et al., 2020).
 * @param mu per step: change of the sum by a replaced example, divided by the noise standard
 *        deviation; at least 0
 * @param rate per step: batch size / number of examples in [0, 1]; same length
 * @return mu_total >= 0; infinity if the formula overflows
 */
double CltFixedMu(const std::vector<double>& mu, const std::vector<double>& rate);

/// CltKappa() above which accountant `clt` warns that its claim is inaccurate.
constexpr double CLT_KAPPA_INACCURATE = 0.02;
/// CltKappa() above which accountant `clt` warns that its claim is not valid.
constexpr double CLT_KAPPA_REFUSED = 0.1;

/**
 * @brief Skewness of the privacy loss, which measures the error of the central limit theorem.
 *
 * Kappa is the standardised third cumulant of the sum of the linearised likelihood ratios. For
 * small kappa the relative error of the claimed epsilon is about kappa / 2. Above CLT_KAPPA_REFUSED
 * the claim is meaningless.
 * @param mu per step: sensitivity / noise standard deviation, at least 0
 * @param rate per step: sampling probability in [0, 1]; same length
 * @return kappa >= 0; 0 for an empty schedule, infinity if the formula overflows
 */
double CltKappa(const std::vector<double>& mu, const std::vector<double>& rate);

/**
 * @brief The factor on the mu of all steps at which CltMu() has a given value (Dyn-D2P, eq. 8, for
 *        any schedule).
 * @param muTotal value of CltMu() to reach, > 0
 * @param shape relative mu of each step, at least 0, one of them > 0
 * @param rate sampling probability of each step; same length as shape
 * @return scale > 0 such that CltMu(scale * shape, rate) = muTotal
 * @throws UsageError if muTotal is not above 0, or no step has both a relative mu and a sampling
 *         probability above 0
 */
double CltScale(double muTotal, const std::vector<double>& shape, const std::vector<double>& rate);

} // namespace dpdl

#endif // DPDL_PRIVACY_GDP_H
