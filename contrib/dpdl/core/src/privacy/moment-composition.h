// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MOMENT_COMPOSITION_H
#define DPDL_PRIVACY_MOMENT_COMPOSITION_H

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/rdp.h"
#include "step-moment.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace dpdl
{

/// False if RdpComposition covers a step: Gaussian moments, with Poisson sampling or without.
bool NeedsPair(const PrivacyStep& step, Adjacency adjacency);

/// The order of the smallest epsilon of some steps, at least one and none of them WhyNoMoment.
double BestOrder(const StepCounts& steps, const AccountingQuery& question);

/**
 * @brief The Renyi bound of steps of any kind: the sibling of RdpComposition, which is faster where
 *        all noise is Gaussian and sampling is Poisson.
 *
 * More than MOST_KINDS different sampled steps are counted as fewer: mu and swing are rounded up,
 * by at most 0.3 %, which no bound can fall by.
 */
class MomentComposition
{
  public:
    static constexpr std::size_t MOST_KINDS = 128;

    /// The fewer steps that more than MOST_KINDS are counted as.
    static StepCounts RoundedUp(const StepCounts& steps);

    /**
     * @param steps none of them WhyNoMoment
     * @param adjacency which datasets are neighbours
     */
    MomentComposition(const StepCounts& steps, Adjacency adjacency);

    /// Renyi bound of all steps at a real order > 1.
    double Rdp(double order) const;

    /**
     * @brief The smallest epsilon found over the real orders.
     * @param delta in (0, 1)
     */
    RdpOptimum Optimise(double delta) const;

    /// True if steps were rounded up.
    bool Rounded() const
    {
        return m_rounded;
    }

  private:
    double m_fullSquares{0.0}; ///< sum of squared shifts of Gaussian steps without sampling
    bool m_rounded{false};     ///< some mu stand for smaller ones
    std::vector<std::pair<StepMoment, double>> m_steps; ///< the others, and how often each
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MOMENT_COMPOSITION_H
