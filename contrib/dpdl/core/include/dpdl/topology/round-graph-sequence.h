// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H

#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace dpdl
{

/// Base of sequences that store the lists of neighbours of a round.
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
    /// Lists of neighbours in a round.
    virtual const NeighbourLists& GraphOf(Round round) const = 0;

    std::size_t m_nodes; ///< number of nodes n
};

/**
 * @brief An aperiodic sequence: it makes the graph of a round when it is first requested.
 *
 * Graphs are kept until Forget(). Consecutive rounds with equal edges share one graph object. A
 * sequence with Source::ROUND keeps at most KEPT_ROUNDS graphs and makes a dropped graph again when
 * it is requested.
 */
class RoundGraphSequence : public ListedGraphSequence
{
  public:
    /// Largest number of graphs that a sequence with Source::ROUND keeps.
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
    /// Input from which the graphs are made.
    enum class Source
    {
        ROUND,  ///< the graph is a function of the round
        MOMENT, ///< the graph depends on the state of the run at the first request
    };

    /**
     * @param nodes number of nodes n, at least 2
     * @param source input of MakeEdges(): the round alone, or also the state of the run
     */
    RoundGraphSequence(std::size_t nodes, Source source);

    /// Makes the edges of a round. Equal sets of edges must be returned in the same order.
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
    /// Graphs kept, by round.
    mutable std::map<Round, std::shared_ptr<const NeighbourLists>> m_graphs;
    /// Largest argument of Forget(): graphs of earlier rounds are freed.
    mutable Round m_firstKept{0};
    mutable Round m_requested{0};                         ///< the last requested round
    mutable std::vector<Edge> m_lastEdges;                ///< edges of the last graph made
    mutable std::shared_ptr<const NeighbourLists> m_last; ///< the last graph made
};

/**
 * @brief A sequence that follows the run: the graph of a round is fixed when the first node begins
 *        it, in any process.
 *
 * Later nodes use the same graph, even if positions have changed, so sender and receiver agree on
 * the edges of a round. A node without in-neighbours waits for no other node. If its local steps
 * took no simulated time, it would begin all rounds at once and thereby fix their graphs. So local
 * steps should take a time above 0.
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

    /// Simulated time of the run in seconds. @throws Error if no run was attached
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
 * @brief A periodic sequence of graphs.
 *
 * Round k uses phase k mod P. The constructor builds all lists of neighbours. Phases without edges
 * share one object.
 */
class PeriodicGraphSequence : public ListedGraphSequence
{
  public:
    /**
     * @param nodes number of nodes n, at least 2
     * @param phases the edges of each phase, in any order; at least one phase
     * @throws Error if there is no phase or no node, or an edge has a node outside 0..n-1, joins a
     *         node to itself, or is a duplicate in its phase
     */
    PeriodicGraphSequence(std::size_t nodes, const std::vector<std::vector<Edge>>& phases);

    Round Period() const override
    {
        return static_cast<Round>(m_graphOfPhase.size());
    }

  private:
    const NeighbourLists& GraphOf(Round round) const override
    {
        return m_graphs[m_graphOfPhase[round % m_graphOfPhase.size()]];
    }

    std::vector<NeighbourLists> m_graphs;    ///< the different graphs
    std::vector<std::size_t> m_graphOfPhase; ///< index into m_graphs, by phase
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H
