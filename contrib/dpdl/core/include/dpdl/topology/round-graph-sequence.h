// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H

#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace dpdl
{

/// Base class of graph sequences that store neighbour lists.
class ListedGraphSequence : public GraphSequence
{
  public:
    std::size_t Nodes() const override
    {
        return m_nodes;
    }

    const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const override
    {
        return GraphOf(round).out[node];
    }

    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override
    {
        return GraphOf(round).in[node];
    }

    double Weight(NodeId source, NodeId target, Round round) const override
    {
        const NeighbourLists& graph = GraphOf(round);
        return graph.weights.empty() ? GraphSequence::Weight(source, target, round)
                                     : graph.Weight(source, target);
    }

  protected:
    /// @param nodes number of nodes n
    explicit ListedGraphSequence(std::size_t nodes)
        : m_nodes(nodes)
    {
    }

  private:
    /// Neighbour lists of the graph of a round.
    virtual const NeighbourLists& GraphOf(Round round) const = 0;

    std::size_t m_nodes; ///< number of nodes n
};

/**
 * @brief Base class of aperiodic sequences, which make the graph of a round when it is first
 *        requested.
 *
 * Graphs are stored until Forget(). Consecutive rounds with equal edges share one graph object. A
 * sequence with Source::ROUND stores at most KEPT_ROUNDS graphs, and makes removed graphs again
 * when they are requested.
 */
class RoundGraphSequence : public ListedGraphSequence
{
  public:
    /// Largest number of graphs that a sequence with Source::ROUND stores.
    static constexpr std::size_t KEPT_ROUNDS = 64;

    Round Period() const override
    {
        return 0;
    }

    void BeginRound(Round round) const override
    {
        GraphOf(round);
    }

    void Forget(Round round) const override;

  protected:
    /// Inputs from which a sequence makes its graphs.
    enum class Source
    {
        ROUND,  ///< the graph is a function of the round
        MOMENT, ///< the graph also depends on the state of the run at the first request
    };

    /**
     * @param nodes number of nodes n, at least 2
     * @param source input of MakeEdges(): the round alone, or also the state of the run
     */
    RoundGraphSequence(std::size_t nodes, Source source);

    /// Makes the edges of a round. Equal sets of edges must have the same order.
    virtual std::vector<Edge> MakeEdges(Round round) const = 0;

  private:
    /// Edges of a round, equal in all processes of the run.
    virtual std::vector<Edge> AgreedEdges(Round round) const
    {
        return MakeEdges(round);
    }

    const NeighbourLists& GraphOf(Round round) const override;
    const NeighbourLists& Make(Round round) const;

    Source m_source; ///< input from which the graphs are made
    /// Stored graphs, by round.
    mutable std::map<Round, std::shared_ptr<const NeighbourLists>> m_graphs;
    /// Largest argument of Forget(). The graphs of earlier rounds are freed.
    mutable Round m_firstKept{0};
    mutable Round m_requested{0};                         ///< last requested round
    mutable std::vector<Edge> m_lastEdges;                ///< edges of the graph that was made last
    mutable std::shared_ptr<const NeighbourLists> m_last; ///< graph that was made last
};

/**
 * @brief Base class of sequences whose graphs depend on the state of the run. The graph of a round
 *        is fixed when the first node, in any process, begins the round.
 *
 * Later nodes use the same graph, even if positions have changed, so sender and receiver agree on
 * the edges of a round. Local steps should take simulated time above 0. If they take none, a node
 * without in-neighbours begins all rounds immediately and thereby fixes their graphs.
 */
class LiveGraphSequence : public RoundGraphSequence
{
  public:
    void Attach(const RunWorld& world) override
    {
        m_world = world;
    }

    bool FollowsRun() const override
    {
        return true;
    }

  protected:
    /// @param nodes number of nodes n, at least 2
    explicit LiveGraphSequence(std::size_t nodes);

    /// Queries of the run.
    const RunWorld& World() const
    {
        return m_world;
    }

    /// Current simulated time of the run, in seconds.
    /// @throws Error if Attach() was not called
    double Now() const;

  private:
    std::vector<Edge> AgreedEdges(Round round) const override
    {
        const auto make = [this, round] { return MakeEdges(round); };
        return m_world.agree ? m_world.agree(round, make) : make();
    }

    RunWorld m_world; ///< queries of the run
};

/**
 * @brief A periodic sequence of P graphs, called phases.
 *
 * Round k uses phase k mod P. The constructor builds the neighbour lists of all phases. Phases
 * without edges share one object.
 */
class PeriodicGraphSequence : public ListedGraphSequence
{
  public:
    /**
     * @param nodes number of nodes n, at least 2
     * @param phases edges by phase, in any order; at least one phase
     * @param positions constant positions; index: node; empty: no node has a position
     * @throws Error if there is no phase or no node, or an edge has a node outside 0..n-1, joins a
     *         node to itself, or is a duplicate in its phase
     */
    PeriodicGraphSequence(std::size_t nodes,
                          const std::vector<std::vector<Edge>>& phases,
                          std::vector<std::optional<Position>> positions = {});

    Round Period() const override
    {
        return static_cast<Round>(m_graphOfPhase.size());
    }

    std::optional<Position> PositionOf(NodeId node) const override
    {
        return m_positions.empty() ? std::nullopt : m_positions[node];
    }

  private:
    const NeighbourLists& GraphOf(Round round) const override
    {
        return m_graphs[m_graphOfPhase[round % m_graphOfPhase.size()]];
    }

    std::vector<NeighbourLists> m_graphs;             ///< graphs of the phases
    std::vector<std::size_t> m_graphOfPhase;          ///< index into m_graphs, by phase
    std::vector<std::optional<Position>> m_positions; ///< constant positions; index: node
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H
