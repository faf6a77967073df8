// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_MAX_CONSENSUS_H
#define DPDL_ALGORITHM_MAX_CONSENSUS_H

#include "dpdl/algorithm/sensitivity-estimate.h"
#include "dpdl/algorithm/share.h"

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief One node's part in finding the largest sensitivity of a round (DPPS, Algorithm 1, line 4).
 *
 * Every node sends its estimate to all other nodes, in a message without parameters. It adds its
 * noise when it has received all estimates, or after the driver's timeout. A node may be a round
 * ahead of the senders. No value is retransmitted here: a lost value stays unknown unless the
 * network repeats it.
 */
class MaxConsensus
{
  public:
    /**
     * @param node this node
     * @param nodes number of nodes
     * @param rule constants; outlives the protocol
     * @param initialNorm L1 norm of the node's initial parameters
     */
    MaxConsensus(NodeId node, std::size_t nodes, const SensitivityRule& rule, double initialNorm);

    /**
     * @brief Computes an estimate and announces it to all other nodes.
     * @param round the round; a repeated call after a crash returns the same estimate
     * @param perturbation L1 norm of the change of the parameters by this round's step
     * @param now simulated time
     * @return one announcement for each other node; valid until the next call
     */
    const std::vector<Share>& Announce(Round round, double perturbation, double now);

    /// Handles an arrived announcement.
    void Hear(const Share& announcement);

    /// True if the estimates of all nodes for @p round are known.
    bool HeardAll(Round round) const;

    /// Nodes whose estimate for @p round is unknown, in ascending order.
    std::vector<NodeId> Missing(Round round) const;

    /// This node's estimate for the current round.
    double Own() const
    {
        return m_own;
    }

    /// The largest known estimate for @p round, including this node's.
    double Maximum(Round round) const;

    /// Records that noise of L1 norm @p noise, scaled by @p maximum, was added in @p round.
    void Agree(Round round, double maximum, double noise);

    /// Restarts the estimate, when all nodes have the same parameters again.
    void Restart()
    {
        m_estimate.Restart();
    }

  private:
    NodeId m_node;                                     ///< this node
    std::size_t m_nodes;                               ///< n
    SensitivityEstimate m_estimate;                    ///< of this node
    Round m_estimated{0};                              ///< number of rounds with an estimate
    double m_own{0.0};                                 ///< see Own()
    std::vector<Share> m_announcements;                ///< of the current round
    std::map<Round, std::map<NodeId, double>> m_heard; ///< by round and source
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_MAX_CONSENSUS_H
