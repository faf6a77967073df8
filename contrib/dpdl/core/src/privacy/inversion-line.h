// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_INVERSION_LINE_H
#define DPDL_PRIVACY_INVERSION_LINE_H

#include <complex>
#include <cstddef>
#include <limits>
#include <map>
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

/// log of the largest of E[(1 - e^(epsilon - L))+] / E[e^(c (L - epsilon))] over all losses; c >=
/// 0.
double LogHockeyStick(double c);

/// The log of what the inversion integrates, at a real z = c > 0 where log E[e^(c L)] is known.
double LogIntegrandAt(double c, double logMoment, double epsilon);

/// The moments of a composition on one vertical line, and what the midpoint rule makes of them.
class InversionLine
{
  public:
    /**
     * @param composition its tilt is changed
     * @param c the line is there, or somewhat to the left
     * @param epsilon near what is asked for
     * @param logDelta about the result at epsilon
     * @param reach how far the line has to go at least if a window ends it
     */
    InversionLine(TiltedComposition& composition,
                  double c,
                  double epsilon,
                  double logDelta,
                  double reach = 0.0);

    /// False if the integral does not converge.
    bool Complete() const
    {
        return m_complete;
    }

    /// Where the window ends the line; 0 if the integrand has vanished there anyway.
    double Reach() const
    {
        return 2.0 * m_middle;
    }

    /// Whether the rule's step is small enough for a result.
    bool IsFineFor(double epsilon, double logDelta) const;

    /// log delta(epsilon); -infinity if the sum is not positive.
    double LogDelta(double epsilon) const;

  private:
    /// log E[e^(c L)] at a real c.
    struct RealMoment
    {
        double c;
        double logMoment;
    };

    /// Where a line may be, and the period that it needs there.
    struct Place
    {
        double c;
        double period;
    };

    double PeriodAt(double c, double epsilon, double logDelta) const;
    std::vector<Place> PlacesUpTo(double c, double epsilon, double logDelta) const;
    void Choose(const std::vector<Place>& places);
    double Window(double t) const;
    bool Fill(TiltedComposition& composition, double epsilon, double logDelta, double reach);
    bool HasVanished(double last, double epsilon, double logDelta) const;

    double m_c; ///< Re z
    double m_period{std::numeric_limits<double>::infinity()};
    double m_middle{0.0}; ///< where the window is a half; 0: no window
    double m_step{0.0};   ///< between two nodes
    bool m_complete{false};
    std::vector<RealMoment> m_bounds;              ///< for Chernoff bounds, ascending in c
    std::vector<std::complex<double>> m_logMoment; ///< at Im z = (j + 1/2) step
};

} // namespace dpdl

#endif // DPDL_PRIVACY_INVERSION_LINE_H
