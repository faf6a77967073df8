// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_GRAPH_SEQUENCE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// A directed edge: in a round, @p source sends a share to @p target.
struct Edge
{
    NodeId source; ///< who sends
    NodeId target; ///< who receives
};

/**
 * @brief Who sends to whom, round by round: a sequence of directed graphs over the same nodes.
 *
 * Every node also keeps a share for itself. This self-loop is implied: it counts in the weights and
 * never appears in a list of neighbours.
 *
 * A node splits what it has evenly over itself and its out-neighbours, so that the weights of one
 * sender always sum to 1 (the mixing matrix is column-stochastic). This is all that push-sum
 * needs; the rows sum to 1 only where in-degrees and out-degrees agree.
 *
 * Objects are immutable and may be shared between threads.
 */
class GraphSequence
{
  public:
    virtual ~GraphSequence() = default;

    /// Number of nodes n, at least 2.
    virtual std::size_t Nodes() const = 0;

    /// Rounds after which the sequence starts again: 1 for a static graph, 0 if it never repeats.
    virtual Round Period() const = 0;

    /**
     * @brief Whom a node sends to.
     * @param node the sender, 0..n-1
     * @param round any round
     * @return receivers in ascending order, without the node itself; valid as long as the sequence
     */
    virtual const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const = 0;

    /**
     * @brief Whom a node receives from if nothing is lost.
     * @param node the receiver, 0..n-1
     * @param round any round
     * @return senders in ascending order, without the node itself; valid as long as the sequence
     */
    virtual const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const = 0;

    /**
     * @brief The weight of each share that a node sends in a round, and of the one it keeps.
     * @param source the sender, 0..n-1
     * @param round any round
     * @return 1 / (number of out-neighbours + 1)
     */
    double OutWeight(NodeId source, Round round) const
    {
        return 1.0 / static_cast<double>(OutNeighbours(source, round).size() + 1);
    }
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
