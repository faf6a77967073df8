// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_GRAPH_SEQUENCE_H

#include "dpdl/base/position.h"
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
    NodeId source;      ///< who sends
    NodeId target;      ///< who receives
    double weight{0.0}; ///< the part of what the source has, (0, 1]; 0: an equal part
};

/// Takes the edges of a round from the run, as they are at this moment.
using EdgeMaker = std::function<std::vector<Edge>()>;

/// Queries of a sequence that follows the run; an empty function means unknown.
struct RunWorld
{
    std::function<double()> now;              ///< simulated seconds since the run began
    std::function<Position(NodeId)> position; ///< where a node is at this moment
    std::function<bool(NodeId)> isUp{};       ///< whether a node is there at this moment
    /// The edges of a round that processes begin at different moments, the same for all of them;
    /// empty: there is one process.
    std::function<std::vector<Edge>(Round, const EdgeMaker&)> agree{};
};

/**
 * @brief A sequence of directed graphs over the same nodes, one for each round.
 *
 * Every node also keeps a share for itself, unless KeepsShare() says otherwise. This self-loop is
 * implied: it counts in the weights and never appears in a list of neighbours.
 *
 * A node splits what it has over itself and its out-neighbours, evenly unless edges have weights,
 * so that the weights of one sender always sum to 1 (the mixing matrix is column-stochastic). This
 * is all that push-sum needs; with equal parts the rows sum to 1 only where in-degrees and
 * out-degrees agree.
 *
 * Sequences that repeat are immutable and may be shared between threads. Those that never repeat
 * make the graph of a round when it is first asked for: one thread at a time.
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
     * @return receivers in ascending order, without the node itself; valid as long as the sequence,
     *         or until Forget() if it never repeats
     */
    virtual const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const = 0;

    /**
     * @brief Whom a node receives from if nothing is lost.
     * @param node the receiver, 0..n-1
     * @param round any round
     * @return senders in ascending order, without the node itself; valid as the receivers are
     */
    virtual const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const = 0;

    /// True if a node keeps a share for itself; it always does if it sends nothing.
    virtual bool KeepsShare(NodeId /*node*/, Round /*round*/) const
    {
        return true;
    }

    /**
     * @brief The weight of a share: P[target][source] of the round's mixing matrix.
     * @param source the sender, 0..n-1
     * @param target one of its out-neighbours, or the sender: then of the share that it keeps
     * @param round any round
     * @return in [0, 1]; where edges have no weights, 1 / (number of out-neighbours + 1), without
     *         the 1 if it keeps no share
     */
    virtual double Weight(NodeId source, NodeId target, Round round) const;

    /**
     * @brief Gives the sequence what it may ask the run, before the first round and whenever that
     *        changes.
     * @throws UsageError if the sequence needs something that this run has not
     */
    virtual void Attach(const RunWorld& /*world*/)
    {
    }

    /// True if the graphs depend on when rounds begin and cannot be known beforehand.
    virtual bool FollowsRun() const
    {
        return false;
    }

    /// A node begins @p round: the moment that a graph which follows the run is taken from.
    virtual void BeginRound(Round /*round*/) const
    {
    }

    /// Promises that no round before @p round is asked for again.
    virtual void Forget(Round /*round*/) const
    {
    }

    /// Position of a node now, for topologies that know it.
    virtual std::optional<Position> PositionOf(NodeId /*node*/) const
    {
        return std::nullopt;
    }

    /// Every edge that may ever be used, in any order and perhaps repeated; empty if that is not
    /// known before the run.
    virtual std::optional<std::vector<Edge>> PossibleEdges() const;
};

/**
 * @brief Distance of a round's mixing matrix from column-stochastic.
 *
 * The shares are counted where they arrive, by lists of in-neighbours, and weighed where they
 * leave.
 *
 * @param sequence the topology
 * @param round any round
 * @return largest deviation from 1 of what a sender's shares and the one it keeps sum to
 */
double ColumnError(const GraphSequence& sequence, Round round);

/**
 * @brief Distance of a round's mixing matrix from row-stochastic.
 * @param sequence the topology
 * @param round any round
 * @return largest deviation from 1 of what the shares that a node hears and the one that it keeps
 *         sum to; 0 but for rounding if the matrix is doubly stochastic
 */
double RowError(const GraphSequence& sequence, Round round);

/// Both directions of one graph.
struct NeighbourLists
{
    /// The least part that a node keeps where edges have weights.
    static constexpr double LEAST_KEPT = 1e-9;

    /**
     * @param nodes number of nodes n
     * @param edges the edges, in any order
     * @throws Error if an edge leaves 0..n-1, joins a node to itself, or stands there twice; if
     *         some edges have weights and others none; or if those of a node leave nothing for
     * itself
     */
    NeighbourLists(std::size_t nodes, const std::vector<Edge>& edges);

    /// The weight of an edge, or for the sender itself what it keeps. Only where there are weights.
    double Weight(NodeId source, NodeId target) const;

    std::vector<std::vector<NodeId>> out;     ///< receivers of each node, ascending
    std::vector<std::vector<NodeId>> in;      ///< senders to each node, ascending
    std::vector<std::vector<double>> weights; ///< of the edges in `out`; empty: equal parts

  private:
    void AddWeights(const std::vector<Edge>& edges);
    std::size_t PlaceOf(NodeId source, NodeId target) const;
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_SEQUENCE_H
