// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_GRAPH_SEQUENCE_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace dpdl
{

/// A directed edge: @p source sends a share to @p target.
struct Edge
{
    NodeId source; ///< sending node
    NodeId target; ///< receiving node
    /// Fraction of the source's state that is sent, in (0, 1]; 0: edges have no weights, and the
    /// source splits its state evenly.
    double weight{0.0};
};

/// Returns the edges of a round that begins at the current simulated time.
using EdgeMaker = std::function<std::vector<Edge>()>;

/// Queries of the run that a graph sequence may use. An empty function means that the run does not
/// support the query.
struct RunWorld
{
    std::function<double()> now; ///< returns the simulated time since the start of the run, s
    std::function<Position(NodeId)> position; ///< returns the current position of a node, m
    std::function<bool(NodeId)> isUp{};       ///< returns true if a node is currently up
    /// Returns the edges of a round, equal in all processes of the run. The function makes the
    /// edges when the first node of any process begins the round. Empty: the run has one process.
    std::function<std::vector<Edge>(Round, const EdgeMaker&)> agree{};
};

/**
 * @brief A sequence of directed graphs over the same nodes, one per round.
 *
 * Every node also keeps a share for itself, unless KeepsShare() is false. This self-loop counts in
 * the weights, but lists of neighbours do not contain it.
 *
 * A node splits its state among itself and its out-neighbours, evenly unless edges have weights.
 * The weights of one sender sum to 1 (the mixing matrix is column-stochastic), as push-sum
 * requires. The rows of the matrix may have other sums.
 *
 * Periodic sequences are immutable and may be shared between threads. Aperiodic sequences make the
 * graph of a round when it is first requested; only one thread may use such a sequence at a time.
 */
class GraphSequence
{
  public:
    virtual ~GraphSequence() = default;

    /// Number of nodes n, at least 2.
    virtual std::size_t Nodes() const = 0;

    /// Period in rounds: 1 for a static graph, 0 for an aperiodic sequence.
    virtual Round Period() const = 0;

    /**
     * @brief Receivers of a node's shares.
     * @param node the sender, 0..n-1
     * @param round any round
     * @return receivers in ascending order, without the node itself; valid during the lifetime of
     *         the sequence or, if it is aperiodic, until Forget()
     */
    virtual const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const = 0;

    /**
     * @brief Nodes that send a share to a node.
     * @param node the receiver, 0..n-1
     * @param round any round
     * @return senders in ascending order, without the node itself; valid during the lifetime of the
     *         sequence or, if it is aperiodic, until Forget()
     */
    virtual const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const = 0;

    /// True if a node keeps a share in a round. A node that sends no share always keeps one.
    virtual bool KeepsShare(NodeId /*node*/, Round /*round*/) const
    {
        return true;
    }

    /**
     * @brief Weight of a share: entry P[target][source] of the round's mixing matrix P.
     * @param source the sender, 0..n-1
     * @param target one of its out-neighbours, or the sender itself for the share that it keeps
     * @param round any round
     * @return weight in [0, 1]. For edges without weights it is 1 / (number of out-neighbours + 1),
     *         or 1 / number of out-neighbours if the sender keeps no share
     */
    virtual double Weight(NodeId source, NodeId target, Round round) const;

    /**
     * @brief Sets the queries of the run. Must be called before the first round, and again when the
     *        queries change.
     * @throws UsageError naming the topology if the sequence needs a query that the run does not
     *         support
     */
    virtual void Attach(const RunWorld& /*world*/)
    {
    }

    /// True if the graphs depend on the start times of rounds, and are unknown before the run.
    virtual bool FollowsRun() const
    {
        return false;
    }

    /// Notifies the sequence that a node begins @p round. If FollowsRun() is true, the graph of the
    /// round is made now.
    virtual void BeginRound(Round /*round*/) const
    {
    }

    /// Frees the graphs of all rounds before @p round. These graphs must not be requested again.
    virtual void Forget(Round /*round*/) const
    {
    }

    /// Current position of a node in metres; empty if the topology has no positions.
    virtual std::optional<Position> PositionOf(NodeId /*node*/) const
    {
        return std::nullopt;
    }

    /// All edges that occur in any round, in any order and possibly repeated; empty if they are
    /// unknown before the run.
    virtual std::optional<std::vector<Edge>> PossibleEdges() const;
};

/// Calls @p visit with source and target of each edge of the rounds @p first to @p end - 1, in the
/// order of rounds, sources and OutNeighbours().
template <typename Visitor>
void
ForEachEdge(const GraphSequence& graph, Round first, Round end, const Visitor& visit)
{
    for (Round round = first; round < end; ++round)
    {
        for (NodeId source = 0; source < graph.Nodes(); ++source)
        {
            for (const NodeId target : graph.OutNeighbours(source, round))
            {
                visit(source, target);
            }
        }
    }
}

/**
 * @brief Deviation of a round's mixing matrix from a column-stochastic matrix.
 *
 * The function finds the edges by InNeighbours(), and their weights by Weight(), which depends on
 * OutNeighbours(). It therefore also detects lists of in- and out-neighbours that contradict each
 * other.
 *
 * @param sequence graph sequence of the topology
 * @param round any round
 * @return largest deviation from 1 of a column's sum. A column has the weights of one sender's
 *         shares and of its kept share.
 */
double ColumnError(const GraphSequence& sequence, Round round);

/**
 * @brief Deviation of a round's mixing matrix from a row-stochastic matrix.
 * @param sequence graph sequence of the topology
 * @param round any round
 * @return largest deviation from 1 of a row's sum. A row has the weights of the shares that one
 *         node receives and of its kept share. 0 up to rounding if the matrix is doubly stochastic.
 */
double RowError(const GraphSequence& sequence, Round round);

/// Adjacency lists of one graph in both directions.
struct NeighbourLists
{
    /// Smallest fraction of its state that a node keeps if edges have weights.
    static constexpr double LEAST_KEPT = 1e-9;

    /**
     * @param nodes number of nodes n
     * @param edges the edges, in any order
     * @throws Error if an edge has a node outside 0..n-1, joins a node to itself, or is duplicated;
     *         if only some edges have weights; or if the weights of a node's edges sum to more than
     *         1 - LEAST_KEPT
     */
    NeighbourLists(std::size_t nodes, const std::vector<Edge>& edges);

    /// Weight of an edge; for target = source, weight of the kept share. The edges must have
    /// weights.
    double Weight(NodeId source, NodeId target) const;

    std::vector<std::vector<NodeId>> out; ///< receivers by sending node, ascending
    std::vector<std::vector<NodeId>> in;  ///< senders by receiving node, ascending
    /// Weights of the edges in `out`, at the same indices; empty: each node splits its state
    /// evenly.
    std::vector<std::vector<double>> weights;

  private:
    void AddWeights(const std::vector<Edge>& edges);
    std::size_t PlaceOf(NodeId source, NodeId target) const;
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
