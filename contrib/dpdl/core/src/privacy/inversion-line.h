// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_INVERSION_LINE_H
#define DPDL_PRIVACY_INVERSION_LINE_H

#include "tilted-composition.h"

#include <complex>
#include <limits>
#include <vector>

namespace dpdl
{

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
