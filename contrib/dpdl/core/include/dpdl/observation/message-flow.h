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

/// What decides which private inputs reach which state.
struct FlowSettings
{
    std::size_t nodes{0};     ///< n
    Round rounds{0};          ///< K
    bool byWeight{true};      ///< whether the step in z is gamma (by-weight) or gamma / w (plain)
    bool refunds{false};      ///< loss policy refund: the mass of damaged messages also goes back
    bool renormalises{false}; ///< loss policy renormalise: w is 1 again after every mixing
    const std::vector<Delivery>* deliveries{nullptr}; ///< of the run; in any order
    /// Standard deviation of the noise of node i in round k at [k n + i]; 0: not a column, because
    /// there was none or it is known. All in one unit.
    std::vector<double> noise;
};

/**
 * @brief Writes every state of a run as a linear combination of the private inputs.
 *
 * The private input of (node i, round k) is its clipped gradient sum with its noise, divided by the
 * noise's standard deviation: unit noise. A state z is then a constant plus a row times the inputs,
 * and the row follows from what was really delivered: the recursion of `x = w z` by which a trace
 * replays its run (doc/formats/trace.md), with unit vectors in the place of gradients. The step
 * size and the batch size are common factors and left out.
 */
class MessageFlow
{
  public:
    /// A row: one coefficient for each column, as far as it reaches; beyond that they are zero.
    /// Columns are ordered by round, then by node.
    using Row = std::vector<double>;

    /// Result of ColumnOf() for inputs that are no column.
    static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();

    /**
     * @brief Follows the run. Memory and time grow with the square of the number of columns.
     * @throws UsageError if the deliveries cannot have happened: shares of more than the whole,
     * mass used before it was sent
     */
    explicit MessageFlow(const FlowSettings& settings);

    /// Number of private inputs that are not known from the start.
    std::size_t Columns() const
    {
        return m_columns;
    }

    /// The column of an input, or NONE.
    std::size_t ColumnOf(NodeId node, Round round) const
    {
        return m_columnOf[Index(node, round)];
    }

    /// z^{k+1/2} of a node: what every message carries that it sends in round k.
    const Row& Sent(NodeId node, Round round) const
    {
        return m_sent[Index(node, round)];
    }

    /// The share of a message: w of its sender in that round, times @p weight. Public.
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
    /// A share of a state that was sent.
    struct Term
    {
        std::size_t sent; ///< index of the state
        double weight;    ///< share of its sender's mass
    };

    std::size_t Index(NodeId node, Round round) const
    {
        return round * m_nodes + node;
    }

    void SortDeliveries(const FlowSettings& settings);
    void AssignColumns(const FlowSettings& settings);
    void Step(const FlowSettings& settings, Round round);
    void Mix(Round round, bool renormalises);

    std::size_t m_nodes;                   ///< n
    std::size_t m_columns{0};              ///< see Columns()
    std::vector<std::size_t> m_columnOf;   ///< by (round, node)
    std::vector<std::size_t> m_reach;      ///< by round: number of columns up to its end
    std::vector<double> m_given;           ///< by (round, node): sum of the weights sent
    std::vector<std::vector<Term>> m_used; ///< by (round, node): what it mixed of others
    std::vector<Row> m_sent;               ///< by (round, node): z^{k+1/2}
    std::vector<ScaledDouble> m_mass;      ///< by (round, node): w in that round
    std::vector<Row> m_state;              ///< by node: current z
    std::vector<ScaledDouble> m_weight;    ///< by node: current w
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_MESSAGE_FLOW_H
