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
 * Every node sends its estimate to every other one, in a message without parameters, and adds its
 * noise when it has heard them all, or when the driver says that it has waited long enough. A node
 * may be a round ahead of those that it hears. No value is sent twice: what is lost stays unheard,
 * unless the network repeats it.
 */
class MaxConsensus
{
  public:
    /**
     * @param node this node
     * @param nodes number of nodes
     * @param rule constants; outlives the protocol
     * @param initialNorm L1 norm of what the node starts with
     */
    MaxConsensus(NodeId node, std::size_t nodes, const SensitivityRule& rule, double initialNorm);

    /**
     * @brief Estimates, and sends the estimate to all other nodes.
     * @param round the round; asked for again, after a crash, the answer is the same
     * @param perturbation L1 norm of what the step of this round added to the parameters
     * @param now simulated time
     * @return one announcement for each other node; valid until the next call
     */
    const std::vector<Share>& Announce(Round round, double perturbation, double now);

    /// An announcement arrived.
    void Hear(const Share& announcement);

    /// True if the estimates of all nodes for @p round are known.
    bool HeardAll(Round round) const;

    /// Nodes whose estimate for @p round is not known, in ascending order.
    std::vector<NodeId> Missing(Round round) const;

    /// This node's estimate for the current round.
    double Own() const
    {
        return m_own;
    }

    /// The largest estimate for @p round that is known, the own one included.
    double Maximum(Round round) const;

    /// Noise of L1 norm @p noise, scaled by @p maximum, has been added in @p round.
    void Agree(Round round, double maximum, double noise);

    /// All nodes have the same parameters again.
    void Restart()
    {
        m_estimate.Restart();
    }

  private:
    NodeId m_node;                                     ///< this node
    std::size_t m_nodes;                               ///< n
    SensitivityEstimate m_estimate;                    ///< of this node
    Round m_estimated{0};                              ///< rounds that it was made for
    double m_own{0.0};                                 ///< see Own()
    std::vector<Share> m_announcements;                ///< of the current round
    std::map<Round, std::map<NodeId, double>> m_heard; ///< by round and source
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_MAX_CONSENSUS_H
