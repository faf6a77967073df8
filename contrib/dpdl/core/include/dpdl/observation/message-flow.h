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

/// Rules by which the states of a run follow from its deliveries.
struct FlowRules
{
    Round rounds{0};     ///< number of rounds K
    bool byWeight{true}; ///< true: the step in z is gamma (by-weight); false: gamma / w (plain)
    /// True (lossPolicy=refund): the mass of damaged messages also returns to the sender.
    bool refunds{false};
    bool renormalises{false}; ///< true (lossPolicy=renormalise): w is reset to 1 after every mixing
    double momentum{1.0}; ///< momentum of accelerated gossip, see GossipMomentum(); 1: plain gossip
};

/// Settings that determine which private inputs reach which state.
struct FlowSettings : FlowRules
{
    std::size_t nodes{0};                             ///< number of nodes n
    const std::vector<Delivery>* deliveries{nullptr}; ///< deliveries of the run, in any order
    /// Standard deviation of the noise of node i in round k at [k n + i], all in one unit. 0: no
    /// column, because there was no noise or it is known.
    std::vector<double> noise;
    std::vector<bool> stepped; ///< [k n + i]: node i stepped in round k; used only if momentum is
                               ///< not 1
};

/**
 * @brief Writes every state of a run as a linear combination of the private inputs.
 *
 * The private input of (node i, round k) is its noisy clipped gradient sum, divided by the noise's
 * standard deviation, so it has unit noise. A state z is a constant plus a row times the inputs.
 * The row follows from the deliveries by the recursion of `x = w z` with which a trace replays its
 * run (doc/formats/trace.md). Unit vectors replace the gradients. The step size and the batch size
 * are common factors and left out.
 */
class MessageFlow
{
  public:
    /// A row: one coefficient per column up to its length; later coefficients are zero. Columns are
    /// ordered by round, then by node.
    using Row = std::vector<double>;

    /// Result of ColumnOf() for inputs without a column.
    static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();

    /**
     * @brief Replays the run. Memory and time are quadratic in the number of columns.
     * @throws UsageError if the deliveries are impossible: shares add up to more than 1, or mass is
     *         used before it was sent
     */
    explicit MessageFlow(const FlowSettings& settings);

    /// Number of private inputs that are unknown at the start.
    std::size_t Columns() const
    {
        return m_columns;
    }

    /// Column of the private input of (node, round); NONE if it has no noise or is
    /// known.
    std::size_t ColumnOf(NodeId node, Round round) const
    {
        return m_columnOf[Index(node, round)];
    }

    /// z^{k+1/2} of a node: the state in every message that it sends in round k.
    const Row& Sent(NodeId node, Round round) const
    {
        return m_sent[Index(node, round)];
    }

    /// Mass of a message, which is public: w of its sender @p node in that round, times the mixing
    /// weight @p weight.
    ScaledDouble Share(NodeId node, Round round, double weight) const
    {
        return m_mass[Index(node, round)] * weight;
    }

    /// z^K of a node: its model after the last round.
    const Row& Final(NodeId node) const
    {
        return m_state[node];
    }

  private:
    /// A weighted reference to a state that was sent.
    struct Term
    {
        std::size_t sent; ///< index of the sent state
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

    std::size_t m_nodes;                 ///< number of nodes n
    std::size_t m_columns{0};            ///< number of private inputs that are unknown at the start
    std::vector<std::size_t> m_columnOf; ///< column of each input, by (round, node); or NONE
    std::vector<std::size_t> m_reach;    ///< by round: number of columns up to the end of the round
    std::vector<double> m_given;         ///< by (round, node): sum of the weights sent
    /// By (round, node): states of other nodes that the node mixed.
    std::vector<std::vector<Term>> m_used;
    std::vector<Row> m_sent;            ///< sent states z^{k+1/2}, by (round, node)
    std::vector<ScaledDouble> m_mass;   ///< w of each node in each round, by (round, node)
    std::vector<Row> m_state;           ///< current z of each node
    std::vector<ScaledDouble> m_weight; ///< current w of each node
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_MESSAGE_FLOW_H
