// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MOMENT_COMPOSITION_H
#define DPDL_PRIVACY_MOMENT_COMPOSITION_H

#include "dominating-pair.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/rdp.h"
#include "sampled-gaussian.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Why no Renyi bound is known for a step.
 * @return half a line that follows on an accountant's name, or ""
 */
std::string WhyNoMoment(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief The Renyi bound of a step of any kind, in the worse direction.
 *
 * Gaussian and Laplace steps have the moments of their dominating pairs. The direction in which the
 * mechanism saw the example is never the better one, because noise around 0 and noise around the
 * move are mirror images of each other (Mironov, Talwar and Zhang, 2019, Theorem 5).
 *
 * A discrete Gaussian has Renyi divergences of at most those of the Gaussian (Canonne, Kamath and
 * Steinke, 2020). For an integer order the moment of the sampled step is a sum of such moments with
 * positive coefficients, so that it is at most the one of the sampled Gaussian; the logarithm is
 * convex in the order, and its chords bound it between integers. The mirror image of the integers
 * settles the direction as above.
 */
class StepMoment
{
  public:
    /**
     * @param step not WhyNoMoment; mu > 0
     * @param adjacency which datasets are neighbours
     */
    StepMoment(const PrivacyStep& step, Adjacency adjacency);

    /// An upper bound of log E_Q[(dP/dQ)^order], order - 1 times the Renyi divergence; order > 1.
    double At(double order) const;

  private:
    /// log E_Q[(dP/dQ)^order]; of the Gaussian for a discrete Gaussian
    double Moment(double order) const;

    std::shared_ptr<SampledGaussian> m_gaussian;  ///< the moments, or null
    std::shared_ptr<const DominatingPair> m_pair; ///< where they are, otherwise
    bool m_chords;                                ///< between integer orders by chords
};

/// False if RdpComposition covers a step: Gaussian moments, with Poisson sampling or without.
bool NeedsPair(const PrivacyStep& step, Adjacency adjacency);

/// The order of the smallest epsilon of some steps, at least one and none of them WhyNoMoment.
double BestOrder(const StepCounts& steps, const AccountingQuery& question);

/**
 * @brief The Renyi bound of steps of any kind: the sibling of RdpComposition, which is faster where
 *        all noise is Gaussian and sampling is Poisson.
 *
 * More than MOST_KINDS different sampled steps are counted as fewer: mu and muReplace are rounded
 * up, by at most 0.3 %, which no bound can fall by.
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
