// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H
#define DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H

#include "dpdl/base/types.h"

namespace dpdl
{

/**
 * @brief Rule by which DPPS finds the scale of its noise during the run (Zhou, Xue and Chen,
 *        arXiv:2602.11544): the scale is S gamma_n / b, where S is to bound how far apart in L1 the
 *        parameters of any two nodes are.
 */
struct SensitivityRule
{
    double factor{0.5};      ///< C' > 0; only from 1 on does the estimate of a fresh round bound S
    double decay{0.3};       ///< lambda in (0, 1): what a round of gossip leaves of a distance
    double noiseRate{0.001}; ///< gamma_n > 0, by which the noise is multiplied
    Round syncPeriod{4};     ///< period in rounds with which all nodes average over all; 0: never
    /// false: a node goes on from the network's maximum, as the public code does; true: from what
    /// it estimated itself, equation 22
    bool ownEstimate{false};
    bool initialNorm{false}; ///< true: nodes start with different parameters, which count
    bool isOracle{false};    ///< true: S is the true largest distance, which no node could know
    Round measureEvery{0};   ///< rounds between measurements of the true distance; 0: none
};

/**
 * @brief One node's estimate of the sensitivity (equation 22).
 *
 * A fresh estimate, of a round that all nodes begin with the same parameters, is
 * 2 C' (|x^0| + |eps|); after that it is lambda (S + 2 C' |n|) + 2 C' |eps|, where eps is what the
 * node added to its parameters in this round and n the noise that it added in the round before. All
 * norms are L1.
 */
class SensitivityEstimate
{
  public:
    /**
     * @param rule constants
     * @param initialNorm |x^0|, which only counts if the rule says so
     */
    SensitivityEstimate(const SensitivityRule& rule, double initialNorm);

    /**
     * @brief Estimates for the next round.
     * @param perturbation |eps|
     * @return S of this node
     */
    double Next(double perturbation);

    /**
     * @brief The round's noise has been added.
     * @param maximum largest estimate that was heard
     * @param noise |n|, as it was added
     */
    void Agree(double maximum, double noise);

    /// All nodes have the same parameters again.
    void Restart();

  private:
    const SensitivityRule& m_rule; ///< constants
    bool m_isFresh{true};          ///< nothing has been estimated since the last Restart()
    double m_initialNorm;          ///< |x^0|, or 0 if it does not count
    double m_own{0.0};             ///< what Next() gave
    double m_previous{0.0};        ///< S that the next estimate starts from
    double m_noise{0.0};           ///< |n| of the round before
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H
