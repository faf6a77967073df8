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
 * @brief Reason to reject a step for which no bound on the Renyi divergence is known.
 * @param step step of one release
 * @param adjacency neighbouring relation of datasets
 * @return text that completes "the accountant 'X' ...", or "" if StepMoment supports the step
 */
std::string WhyNoMoment(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief Upper bound on the Renyi divergence of a step of any kind, in the direction (REMOVE or
 *        ADD) with the larger divergence.
 *
 * Gaussian and Laplace steps have the moments of their dominating pairs. The remove direction
 * always has the larger divergence, because the noise distributions around 0 and around the shift
 * are mirror images of each other (Mironov, Talwar and Zhang, 2019, Theorem 5).
 *
 * The Renyi divergences of a discrete Gaussian are at most those of the Gaussian (Canonne, Kamath
 * and Steinke, 2020). For an integer order, the moment of a sampled step is a sum of moments
 * without sampling, with positive coefficients. So the moment of the sampled discrete Gaussian is
 * at most that of the sampled Gaussian. The log moment is convex in the order, so at other orders
 * it is at most the linear interpolation between integer orders. For discrete noise the remove
 * direction also has the larger divergence, because the noise has the same mirror symmetry.
 */
class StepMoment
{
  public:
    /**
     * @param step a step with muAddRemove > 0
     * @param adjacency neighbouring relation of datasets
     * @throws std::logic_error if the step is not supported (WhyNoMoment() does not return "")
     */
    StepMoment(const PrivacyStep& step, Adjacency adjacency);

    /// Upper bound of the log moment log E_Q[(dP/dQ)^order], which is (order - 1) times the Renyi
    /// divergence.
    /// @param order > 1
    double At(double order) const;

  private:
    /// Log moment log E_Q[(dP/dQ)^order] of the step, in which discrete Gaussian noise counts as
    /// continuous Gaussian noise.
    double Moment(double order) const;

    /// Computes the moments of a Gaussian step; null: m_pair computes the moments.
    std::shared_ptr<SampledGaussian> m_gaussian;
    std::shared_ptr<const DominatingPair> m_pair; ///< computes the moments if m_gaussian is null
    bool m_chords; ///< true: At() interpolates the log moment linearly between integer orders
};

/// True if RdpComposition does not support the step, so MomentComposition must evaluate it.
/// RdpComposition supports unsampled (discrete) Gaussian noise. It also supports Gaussian noise
/// with Poisson sampling for the add-or-remove neighbouring relation.
bool NeedsPair(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief Renyi DP of a composition of steps of any kind. RdpComposition is faster if it supports
 *        all steps (NeedsPair()).
 *
 * If more than MOST_KINDS different steps are sampled or have Laplace noise, their mu and muReplace
 * are rounded up by at most 0.3 %. Rounding up never lowers a bound.
 */
class MomentComposition
{
  public:
    static constexpr std::size_t MOST_KINDS = 128;

    /**
     * @param steps steps with muAddRemove > 0, and their counts
     * @param adjacency neighbouring relation of datasets
     * @throws std::logic_error if a step is not supported (WhyNoMoment() does not return "")
     */
    MomentComposition(const StepCounts& steps, Adjacency adjacency);

    /// Upper bound on the Renyi divergence of all steps together, in nats.
    /// @param order > 1
    double Rdp(double order) const;

    /**
     * @brief Smallest epsilon over the real orders, found by a numerical search.
     * @param delta delta of the guarantee, in (0, 1)
     */
    RdpOptimum Optimise(double delta) const;

    /// True if some values of mu were rounded up, because there were more than MOST_KINDS different
    /// steps.
    bool Rounded() const
    {
        return m_rounded;
    }

  private:
    double m_fullSquares{0.0}; ///< sum of mu^2 over the Gaussian steps without sampling
    bool m_rounded{false};     ///< true: some values of mu were rounded up
    /// All other steps, each with its count: the number of equal steps.
    std::vector<std::pair<StepMoment, double>> m_steps;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_MOMENT_COMPOSITION_H
