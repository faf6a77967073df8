// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_TILTED_LOSS_H
#define DPDL_PRIVACY_TILTED_LOSS_H

#include <complex>
#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief log E_P[e^(z L)] of the loss L of one Poisson-sampled Gaussian step, for complex z.
 *
 * With r = 1 - q + q e^(mu x - mu^2/2) and x standard normal under Q or P, this is log E[r^a] with
 * a = 1 + z if an example is removed (L = log r), and a = -z if it is added (L = -log r). The
 * expectation is a trapezoidal sum: the integrand is analytic for |Im x| < pi / mu, so that it
 * converges geometrically.
 */
class TiltedLoss
{
  public:
    /**
     * @param rate q in (0, 1)
     * @param mu finite, > 0
     * @param remove direction
     */
    TiltedLoss(double rate, double mu, bool remove);

    /// log E_P[e^(c L)], real c >= 0; infinity where too many points were needed.
    double LogMoment(double c) const;

    /**
     * @brief Fixes the real part of z.
     * @param c > 0
     */
    void Tilt(double c);

    /**
     * @brief sum[j] += weight * log E_P[e^(z L)] for z = c + i (first + j step).
     *
     * The weight may be a fraction, so that the branch of the logarithm matters: it is continuous
     * from the real axis on. Blocks have to follow one another.
     * @return points of the sum times nodes: what it cost
     */
    double AddLogMoments(double first,
                         double step,
                         std::size_t count,
                         double weight,
                         std::complex<double>* sum);

    /// Points that a block up to this imaginary part sums over; grows with it.
    double Points(double c, double imaginary) const;

  private:
    double StepFor(double c, double imaginary) const;
    double FirstPoint(double c) const;
    double LastPoint(double c) const;
    /// log r at x.
    double LogRatio(double x) const;
    /// Computes losses and probabilities of the tilted distribution up to an imaginary part.
    void Refine(double imaginary);

    double m_rate;                     ///< q
    double m_mu;                       ///< mu
    bool m_remove;                     ///< direction
    double m_c{0.0};                   ///< Re z
    double m_logMoment{0.0};           ///< log E_P[e^(c L)]
    double m_mean{0.0};                ///< mean of the tilted loss
    double m_angle{0.0};               ///< imaginary part of the last logarithm
    double m_reach{0.0};               ///< largest Im z that the points below are good for
    std::vector<double> m_loss;        ///< loss minus its mean
    std::vector<double> m_probability; ///< e^(c L) dP / E_P[e^(c L)]; the sum is 1
};

} // namespace dpdl

#endif // DPDL_PRIVACY_TILTED_LOSS_H
