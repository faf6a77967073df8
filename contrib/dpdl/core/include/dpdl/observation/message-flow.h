// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_MESSAGE_FLOW_H
#define DPDL_OBSERVATION_MESSAGE_FLOW_H

#include "dpdl/base/scaled-double.h"
#include "dpdl/base/types.h"
#include "dpdl/trace/network-rows.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace dpdl
{

/// Rules by which the nodes of a run compute their states from delivered messages.
struct FlowRules
{
    Round rounds{0}; ///< number of rounds K; round indices k are 0 to K - 1
    /// Scaling of the local step (option `stepScale`), with push-sum weight w and step size gamma.
    /// True (by-weight): z moves by gamma times the gradient. False (plain): z moves by gamma / w
    /// times the gradient.
    bool byWeight{true};
    /// True (lossPolicy=refund): the mass of damaged messages returns to their senders.
    bool refunds{false};
    bool renormalises{false}; ///< true (lossPolicy=renormalise): the push-sum weight w is reset to
                              ///< 1 after every mixing
    /// Momentum of accelerated gossip (GossipMomentum()), in [1, 2); 1: plain gossip.
    double momentum{1.0};
};

/// Input of MessageFlow.
struct FlowSettings : FlowRules
{
    std::size_t nodes{0}; ///< number of nodes n
    /// Deliveries of the run, in any order; not owned, read only by the constructor of MessageFlow.
    const std::vector<Delivery>* deliveries{nullptr};
    /// [rounds * n] Noise standard deviation of node i in round k at index k n + i, >= 0, in a unit
    /// common to all nodes. 0: the noise is absent or known to the observer. The private input of
    /// this node and round then has no column in MessageFlow::Row.
    std::vector<double> noise;
    /// [rounds * n] At index k n + i, true if node i made a local step in round k. Used only if
    /// momentum is not 1.
    std::vector<bool> stepped;
};

/**
 * @brief Represents every state of a run as a linear combination of private inputs.
 *
 * The private input of node i in round k is its noisy clipped gradient sum, divided by the standard
 * deviation of the noise, so its noise has variance 1. A state z is a constant plus a row of
 * coefficients times the inputs. The row is computed from the deliveries by the recursion for `x =
 * w z` in doc/formats/trace.md, with unit vectors in place of the gradients. Step size and batch
 * size are common factors and are left out.
 */
class MessageFlow
{
  public:
    /// Coefficients of a state, by column. A column is a private input whose noise the observer
    /// does not know. Columns are ordered by round, then by node. Coefficients past the end are 0.
    using Row = std::vector<double>;

    /// Adds @p part times the coefficients of @p state to @p sum, which becomes longer if
    /// necessary.
    static void AddPart(Row& sum, const Row& state, double part);

    /// Result of ColumnOf() for a private input without a column.
    static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();

    /**
     * @brief Replays the run. Memory and time are quadratic in the number of columns.
     * @throws UsageError if the deliveries are impossible: the mixing weights of a node's messages
     *         in a round sum to more than 1, mass is mixed before it was sent, a node has no mass,
     *         or a push-sum weight is out of the range of a double
     */
    explicit MessageFlow(const FlowSettings& settings);

    /// Number of columns: private inputs whose noise the observer does not know.
    std::size_t Columns() const
    {
        return m_columns;
    }

    /// Column of the private input of a node in a round; NONE if the input has no noise, or the
    /// observer knows the noise.
    std::size_t ColumnOf(NodeId node, Round round) const
    {
        return m_columnOf[Index(node, round)];
    }

    /// State z^{k+1/2} of a node after its local step in round k, as a row of coefficients. All
    /// messages of the node in this round carry this state.
    const Row& Sent(NodeId node, Round round) const
    {
        return m_sent[Index(node, round)];
    }

    /// Mass of a message, a public number: the push-sum weight w of the sender @p node in @p round,
    /// times the mixing weight @p weight.
    ScaledDouble Share(NodeId node, Round round, double weight) const
    {
        return m_mass[Index(node, round)] * weight;
    }

    /// State z^K of a node after the last round, as a row of coefficients.
    const Row& Final(NodeId node) const
    {
        return m_state[node];
    }

  private:
    /// Weighted reference to a state that was sent.
    struct Term
    {
        std::size_t sent; ///< index round * n + node of the sent state
        double weight;    ///< fraction of the sender's mass in the message
    };

    std::size_t Index(NodeId node, Round round) const
    {
        return round * m_nodes + node;
    }

    void SortDeliveries(const FlowSettings& settings);
    void AssignColumns(const FlowSettings& settings);
    void Step(const FlowSettings& settings, Round round);
    void Mix(const FlowSettings& settings, Round round);

    std::size_t m_nodes;      ///< number of nodes n
    std::size_t m_columns{0}; ///< number of private inputs whose noise the observer does not know
    /// Column of each private input, or NONE; at index round * n + node.
    std::vector<std::size_t> m_columnOf;
    /// By round: number of columns of the private inputs up to and including the round.
    std::vector<std::size_t> m_reach;
    /// Sum of the mixing weights of the messages that a node sent; at index round * n + node.
    std::vector<double> m_given;
    /// Received or returned messages that a node mixed; at index round * n + node.
    std::vector<std::vector<Term>> m_used;
    std::vector<Row> m_sent; ///< sent states z^{k+1/2}; at index round * n + node
    /// Push-sum weight w of each node before mixing; at index round * n + node.
    std::vector<ScaledDouble> m_mass;
    std::vector<Row> m_state;           ///< current state z, by node
    std::vector<ScaledDouble> m_weight; ///< current push-sum weight w, by node
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_MESSAGE_FLOW_H
