// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SENSITIVITY_ROUND_H
#define DPDL_ALGORITHM_SENSITIVITY_ROUND_H

#include "dpdl/algorithm/learner-context.h"
#include "dpdl/algorithm/sensitivity-exchange.h"

#include <vector>

namespace dpdl
{

/**
 * @brief One node's part of a DPPS round between its local step and the sending of its shares, in
 *        mode `paper`.
 *
 * The nodes agree on an L1 sensitivity S: the largest of their estimates or, if
 * SensitivityRule::isOracle is true, the largest true L1 distance of two nodes. Each node adds the
 * noise gamma_n Laplace(S / b) to its x = w z. The noise rate gamma_n > 0 is
 * SensitivityRule::noiseRate times the round's step size divided by AlgorithmPreset::stepSize. The
 * claimed epsilon of a round is b / gamma_n. Option `epsilon` sets b.
 *
 * The backend draws Laplace noise of scale 1 in the job of the local step. AddNoise() adds a
 * multiple of this noise.
 */
class SensitivityRound : private MaxConsensus
{
  public:
    /**
     * @param node this node
     * @param context data shared by all learners; the algorithm of the plan must have a
     *        SensitivityRule. Must outlive this object
     * @param initial initial parameters of the node
     */
    SensitivityRound(NodeId node, const LearnerContext& context, const ParameterVector& initial);

    /// Computes and announces this node's estimate, after its step.
    /// @param job completed job of the step
    /// @return one announcement for each other node; see MaxConsensus::Announce()
    const std::vector<Share>& Announce(const NodeJob& job, double now);

    using MaxConsensus::Hear;
    using MaxConsensus::HeardAll;
    using MaxConsensus::Missing;
    using MaxConsensus::Restart; ///< called after the node lost its state

    /**
     * @brief Adds the noise to the state, and reports S to the run's observer. Adds no noise if the
     *        step is disabled or the run has noise off.
     *
     * Call it once per round, when HeardAll() is true or the wait for estimates has timed out.
     * @param[in,out] job the job that Announce() received; its state is replaced by a noisy copy
     */
    void AddNoise(NodeJob& job);

    /// Restarts the estimates after every SensitivityRule::syncPeriod rounds, if this node has
    /// averaged with all other nodes in @p round. Must be called before the round is mixed.
    /// @param heardAll true: all shares of the round have arrived
    void CloseRound(Round round, bool heardAll);

  private:
    double Perturbation(const NodeJob& job) const;
    bool IsMeasured(Round round) const;
    SensitivityReport Report(Round round) const;
    void Disturb(NodeJob& job, double scale) const;

    const LearnerContext& m_context; ///< data shared by all learners
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SENSITIVITY_ROUND_H
