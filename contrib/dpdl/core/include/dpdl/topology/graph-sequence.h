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

/// A directed edge: in a round, @p source sends a share to @p target.
struct Edge
{
    NodeId source;      ///< sending node
    NodeId target;      ///< receiving node
    double weight{0.0}; ///< fraction of the source's state that is sent, in (0, 1]; 0: the source
                        ///< splits its state evenly
};

/// Returns the edges of a round that begins at the current simulated time.
using EdgeMaker = std::function<std::vector<Edge>()>;

/// State of the run that a graph sequence may query; an empty function: the run does not know it.
struct RunWorld
{
    std::function<double()> now;              ///< simulated time since the run began, in seconds
    std::function<Position(NodeId)> position; ///< current position of a node, in metres
    std::function<bool(NodeId)> isUp{};       ///< true if a node is up now
    /// Returns the edges of a round at the time at which the first node of any process begins the
    /// round: the same edges in all processes. Empty: the run has one process.
    std::function<std::vector<Edge>(Round, const EdgeMaker&)> agree{};
};

/**
 * @brief A sequence of directed graphs over the same nodes, one per round.
 *
 * Every node also keeps a share for itself, unless KeepsShare() is false. This self-loop is
 * implied: it counts in the weights and never appears in a list of neighbours.
 *
 * A node splits its state among itself and its out-neighbours, evenly unless edges have weights.
 * The weights of one sender always sum to 1 (the mixing matrix is column-stochastic), as push-sum
 * requires. The rows need not sum to 1: the matrix need not be doubly stochastic.
 *
 * Periodic sequences are immutable and may be shared between threads. Aperiodic ones make the graph
 * of a round when it is first requested, and may be used by one thread at a time.
 */
class GraphSequence
{
  public:
    virtual ~GraphSequence() = default;

    /// Number of nodes n, at least 2.
    virtual std::size_t Nodes() const = 0;

    /// Period in rounds: 1 for a static graph, 0 if aperiodic.
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
     * @brief Nodes that send a share to a node; the network may lose shares.
     * @param node the receiver, 0..n-1
     * @param round any round
     * @return senders in ascending order, without the node itself; valid like OutNeighbours()
     */
    virtual const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const = 0;

    /// True if a node keeps a share for itself. A node that sends nothing always keeps one.
    virtual bool KeepsShare(NodeId /*node*/, Round /*round*/) const
    {
        return true;
    }

    /**
     * @brief The weight of a share: P[target][source] of the round's mixing matrix.
     * @param source the sender, 0..n-1
     * @param target one of its out-neighbours, or the sender itself for the share that it keeps
     * @param round any round
     * @return in [0, 1]; for edges without weights 1 / (out-neighbours + 1), or 1 / out-neighbours
     *         if the sender keeps no share
     */
    virtual double Weight(NodeId source, NodeId target, Round round) const;

    /**
     * @brief Sets the queries of the run. Called before the first round and again when the queries
     *        change.
     * @throws UsageError if the sequence needs a query that this run does not support
     */
    virtual void Attach(const RunWorld& /*world*/)
    {
    }

    /// True if the graphs depend on the times when rounds begin, and are unknown before the run.
    virtual bool FollowsRun() const
    {
        return false;
    }

    /// Notifies the sequence that a node begins @p round; if FollowsRun(), the graph of the round
    /// is made now.
    virtual void BeginRound(Round /*round*/) const
    {
    }

    /// Frees the graphs of all rounds before @p round, which must not be requested again.
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

/// Calls @p visit with source and target of each edge of the rounds from @p first to before @p end,
/// in the order of rounds, sources and OutNeighbours().
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
 * @brief Deviation of a round's mixing matrix from column-stochastic.
 *
 * It enumerates shares by in-neighbours and takes their weights from the senders, so it also checks
 * that both lists agree.
 *
 * @param sequence the topology
 * @param round any round
 * @return largest deviation from 1 of a column's sum. A column has the weights of one sender's
 *         shares and of its kept share.
 */
double ColumnError(const GraphSequence& sequence, Round round);

/**
 * @brief Deviation of a round's mixing matrix from row-stochastic.
 * @param sequence the topology
 * @param round any round
 * @return largest deviation from 1 of a row's sum. A row has the weights of the shares that one
 *         node receives and of its kept share. 0 up to rounding if the matrix is doubly stochastic.
 */
double RowError(const GraphSequence& sequence, Round round);

/// Adjacency lists of one graph in both directions.
struct NeighbourLists
{
    /// Minimum fraction of its state that a node keeps if edges have weights.
    static constexpr double LEAST_KEPT = 1e-9;

    /**
     * @param nodes number of nodes n
     * @param edges the edges, in any order
     * @throws Error if an edge has a node outside 0..n-1, joins a node to itself, or is duplicated;
     *         if only some edges have weights; or if the weights of a node's edges sum to more than
     *         1 - LEAST_KEPT
     */
    NeighbourLists(std::size_t nodes, const std::vector<Edge>& edges);

    /// Weight of an edge or, for target = source, of the kept share. The edges must have weights.
    double Weight(NodeId source, NodeId target) const;

    std::vector<std::vector<NodeId>> out;     ///< receivers of each node, ascending
    std::vector<std::vector<NodeId>> in;      ///< senders to each node, ascending
    std::vector<std::vector<double>> weights; ///< weights of the edges in `out`, in the same order;
                                              ///< empty: each node splits its state evenly

  private:
    void AddWeights(const std::vector<Edge>& edges);
    std::size_t PlaceOf(NodeId source, NodeId target) const;
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
