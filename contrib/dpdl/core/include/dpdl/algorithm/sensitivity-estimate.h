// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H
#define DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H

#include "dpdl/base/types.h"

namespace dpdl
{

/**
 * @brief Rule by which DPPS determines the scale of its noise during the run (Zhou, Xue and Chen,
 *        arXiv:2602.11544): the scale is S gamma_n / b, where S should bound the L1 distance
 *        between the parameters of any two nodes.
 */
struct SensitivityRule
{
    double factor{0.5}; ///< C' > 0; the estimate of a fresh round bounds S only if C' >= 1
    double decay{0.3};  ///< lambda in (0, 1): factor by which a round of gossip reduces distances
    double noiseRate{0.001}; ///< gamma_n > 0, multiplier of the noise
    Round syncPeriod{4};     ///< rounds between averages over all nodes; 0: never
    /// False: a node continues from the network's maximum, as in the public code. True: from its
    /// own estimate, equation 22.
    bool ownEstimate{false};
    bool initialNorm{false}; ///< true: the norm of the nodes' different initial parameters counts
    bool isOracle{false};    ///< true: S is the true largest distance, which no node could know
    Round measureEvery{0};   ///< rounds between measurements of the true distance; 0: none
};

/**
 * @brief One node's estimate of the sensitivity (equation 22).
 *
 * A fresh estimate, for a round that all nodes begin with the same parameters, is 2 C' (|x^0| +
 * |eps|). After that it is lambda (S + 2 C' |n|) + 2 C' |eps|. eps is the change of the node's
 * parameters in this round, and n the noise that it added in the previous round. All norms are L1.
 */
class SensitivityEstimate
{
  public:
    /**
     * @param rule constants
     * @param initialNorm |x^0|, used only if the rule requires it
     */
    SensitivityEstimate(const SensitivityRule& rule, double initialNorm);

    /**
     * @brief Computes the estimate of the next round.
     * @param perturbation |eps|
     * @return S of this node
     */
    double Next(double perturbation);

    /**
     * @brief Records the noise that was added in the round.
     * @param maximum largest estimate received
     * @param noise |n| of the added noise
     */
    void Agree(double maximum, double noise);

    /// Restarts the estimate, when all nodes have the same parameters again.
    void Restart();

  private:
    const SensitivityRule& m_rule; ///< constants
    bool m_isFresh{true};          ///< no estimate since the last Restart()
    double m_initialNorm;          ///< |x^0|, or 0 if it is not used
    double m_own{0.0};             ///< last result of Next()
    double m_previous{0.0};        ///< S from which the next estimate starts
    double m_noise{0.0};           ///< |n| of the previous round
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SENSITIVITY_ESTIMATE_H
