// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_INVERTED_CURVE_H
#define DPDL_PRIVACY_INVERTED_CURVE_H

#include "inversion-line.h"
#include "tilted-composition.h"

#include <optional>
#include <utility>

namespace dpdl
{

/// The privacy curve of a composition in one direction, each answer from two lines that agree.
class InvertedCurve
{
  public:
    /**
     * @param steps sampled steps
     * @param fullMuSquared sum of mu^2 over the steps without sampling; > 0 if there are no others
     * @param remove direction
     */
    InvertedCurve(const SampledSteps& steps, double fullMuSquared, bool remove);

    /**
     * @param epsilon at least 0
     * @return log delta; -infinity where delta is 0; nothing where the inversion does not converge
     */
    std::optional<double> LogDelta(double epsilon);

    /**
     * @param delta in (0, 1)
     * @return the smallest epsilon >= 0; nothing where the inversion does not converge
     */
    std::optional<double> Epsilon(double delta);

  private:
    struct Found
    {
        double logDelta;
        double reach; ///< of the line
    };

    double LogIntegrand(double c, double epsilon) const;
    std::pair<double, double> Saddle(double epsilon) const;
    bool Confirmed(double c, double epsilon, const Found& found);
    std::optional<double> Settled(double c, double root, const Found& found);
    static std::optional<Found> OnLine(TiltedComposition& composition,
                                       double c,
                                       double epsilon,
                                       double guess,
                                       double reach);

    TiltedComposition m_first;  ///< what the answers are from
    TiltedComposition m_second; ///< what they are checked with
};

} // namespace dpdl

#endif // DPDL_PRIVACY_INVERTED_CURVE_H
