// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H
#define DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H

#include "dpdl/algorithm/share.h"
#include "dpdl/base/types.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace dpdl
{

/**
 * @brief Measures the largest true L1 distance between the parameters x = w z of two nodes. No node
 *        knows this distance.
 *
 * The class serves measurements, and runs with SensitivityRule::isOracle, which the paper of DPPS
 * calls real. One measurement costs O(n^2 d) for n nodes and d shared parameters.
 */
class SensitivityExchange
{
  public:
    /**
     * @param nodes number of nodes
     * @param shared number of leading parameters that are shared
     */
    SensitivityExchange(std::size_t nodes, std::size_t shared);

    /**
     * @brief Reports a node's parameters, after its step and before its noise is added.
     * @param node index of the node
     * @param round round of the step
     * @param z parameters of the node; the caller must not change them after this call
     * @param w push-sum weight of the node
     */
    void Post(NodeId node, Round round, ParameterHandle z, double w);

    /// Largest L1 distance of @p node to any other node in @p round; empty until all nodes have
    /// called Post(), and after the round was dropped (MOST_ROUNDS).
    std::optional<double> Of(NodeId node, Round round);

    /// Largest L1 distance between any two of the nodes that have called Post() in @p round; 0 for
    /// fewer than two nodes.
    double Largest(Round round);

  private:
    /// States and distances of the nodes in a round.
    struct Entry
    {
        /// Parameters of each node, until all have posted.
        std::map<NodeId, ParameterHandle> states;
        std::map<NodeId, double> weights; ///< push-sum weight w of each node that has posted
        /// Largest L1 distance of each node to any other node; empty until all nodes have posted.
        std::map<NodeId, double> distances;
    };

    /// Largest number of rounds in m_entries. Beyond it the oldest round is dropped, because
    /// crashed nodes may never complete it.
    static constexpr std::size_t MOST_ROUNDS = 8;

    std::map<NodeId, double> Compare(const Entry& entry) const;
    void Complete(Entry& entry) const;

    std::size_t m_nodes;              ///< number of nodes
    std::size_t m_shared;             ///< number of leading parameters that are shared
    std::map<Round, Entry> m_entries; ///< measurements, by round
};

/**
 * @brief Rule by which DPPS (Zhou, Xue and Chen, arXiv:2602.11544) determines the scale of its
 *        noise during the run. The scale is S gamma_n / b, with the noise rate gamma_n and the
 *        budget b, an epsilon. S should be an upper bound of the L1 distance between the parameters
 *        of any two nodes.
 */
struct SensitivityRule
{
    /// C' > 0: factor in the estimates of MaxConsensus. The first estimate is an upper bound of S
    /// only if C' >= 1.
    double factor{0.5};
    double decay{0.3}; ///< lambda in [0, 1]: factor by which a round of gossip reduces distances
    double noiseRate{0.001}; ///< noise rate gamma_n > 0: factor on the Laplace noise of scale S / b
    Round syncPeriod{4};     ///< rounds between averages over all nodes; 0: never
    /// Sensitivity S of the previous round from which the next estimate is computed. False: the
    /// largest estimate of all nodes, as in the public code. True: the node's last estimate
    /// (equation 22 of the paper).
    bool ownEstimate{false};
    /// True: the first estimate includes |x^0|, the L1 norm of the initial parameters, because
    /// nodes start from different parameters.
    bool initialNorm{false};
    bool isOracle{false};  ///< true: S is the true largest distance, which no node can know
    Round measureEvery{0}; ///< rounds between measurements of the true distance; 0: none
};

/**
 * @brief One node's part in finding the largest sensitivity of a round (DPPS, Algorithm 1, line 4).
 *
 * Every node sends its estimate to all other nodes, in a message without parameters. A node adds
 * its noise when it has received all estimates, or after the driver's timeout. Senders may be one
 * round behind the receiver. A lost estimate stays unknown, unless the transport retransmits the
 * message.
 *
 * In the first round, and after Restart(), the estimate is 2 C' (|x^0| + |eps|) (equation 22 of the
 * paper of DPPS); after Restart(), |x^0| counts as 0. In other rounds the estimate is lambda (S + 2
 * C' |n|) + 2 C' |eps|, with S of the previous round. eps is the change of the node's parameters by
 * the step of this round, and n the noise that the node added in the previous round. All norms are
 * L1.
 */
class MaxConsensus
{
  public:
    /**
     * @param node this node
     * @param nodes number of nodes
     * @param rule constants of the estimates; must outlive this object
     * @param initialNorm L1 norm of the node's initial parameters, used only if
     *        SensitivityRule::initialNorm is true
     */
    MaxConsensus(NodeId node, std::size_t nodes, const SensitivityRule& rule, double initialNorm);

    /**
     * @brief Computes an estimate and announces it to all other nodes.
     * @param round index of the round, from 0; a repeated call after a crash returns the same
     *        estimate
     * @param perturbation L1 norm of the change of the parameters by this round's step
     * @param now current time, in simulated seconds
     * @return one announcement for each other node; valid until the next call
     */
    const std::vector<Share>& Announce(Round round, double perturbation, double now);

    /// Records the estimate in an announcement that arrived.
    void Hear(const Share& announcement);

    /// True if the estimates of all other nodes for @p round have arrived.
    bool HeardAll(Round round) const;

    /// Other nodes whose estimate for @p round has not arrived, in ascending order.
    std::vector<NodeId> Missing(Round round) const;

    /// This node's latest estimate of the sensitivity S, an L1 distance of parameters; 0 before its
    /// first estimate.
    double Own() const
    {
        return m_own;
    }

    /// Largest known estimate for @p round, including this node's.
    double Maximum(Round round) const;

    /// Records that in @p round this node added noise of L1 norm @p noise, scaled by the
    /// sensitivity @p maximum. The next estimate starts from both numbers.
    void Agree(Round round, double maximum, double noise);

    /// Makes the next estimate a first estimate with |x^0| = 0: after averaging over all nodes, or
    /// after a crash that lost the node's state.
    void Restart();

  protected:
    NodeId m_node;                 ///< index of this node
    const SensitivityRule& m_rule; ///< constants of the estimates

  private:
    std::size_t m_nodes;    ///< number of nodes
    double m_initialNorm;   ///< |x^0|, the L1 norm of the initial parameters; 0: not used
    bool m_isFresh{true};   ///< true: no estimate since construction or the last Restart()
    double m_previous{0.0}; ///< S from which the next estimate starts
    double m_noise{0.0};    ///< L1 norm of the noise of the previous round
    Round m_estimated{0};   ///< number of rounds with an estimate
    double m_own{0.0};      ///< this node's estimate for the current round
    std::vector<Share> m_announcements; ///< announcements to the other nodes of the current round
    std::map<Round, std::map<NodeId, double>> m_heard; ///< received estimates, by round and source
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H
