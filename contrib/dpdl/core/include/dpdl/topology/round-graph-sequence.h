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

/**
 * @brief A sequence that never repeats: it makes the graph of a round when it is first asked for.
 *
 * Graphs are kept until Forget(); rounds in a row whose edges agree share their memory. A sequence
 * that can make any round again, since it is a function of the round alone, keeps no more than
 * KEPT_ROUNDS other ones.
 */
class RoundGraphSequence : public GraphSequence
{
  public:
    /// Number of graphs kept of a sequence that can make them again.
    static constexpr std::size_t KEPT_ROUNDS = 64;

    std::size_t Nodes() const override
    {
        return m_nodes;
    }

    Round Period() const override
    {
        return 0;
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

    void BeginRound(Round round) const override
    {
        GraphOf(round);
    }

    void Forget(Round round) const override;

  protected:
    /// The graph of a round is always the same, or depends on the time of the query.
    enum class Source
    {
        ROUND,  ///< a function of the round
        MOMENT, ///< taken from the run when it is first asked for
    };

    /// @param nodes number of nodes n, at least 2
    /// @param source where graphs come from
    RoundGraphSequence(std::size_t nodes, Source source);

    /// The edges of a round, in any order that is the same for the same graph.
    virtual std::vector<Edge> MakeEdges(Round round) const = 0;

  private:
    /// The same, for all processes of the run.
    virtual std::vector<Edge> AgreedEdges(Round round) const
    {
        return MakeEdges(round);
    }

    const NeighbourLists& GraphOf(Round round) const;
    const NeighbourLists& Make(Round round) const;

    std::size_t m_nodes; ///< n
    Source m_source;     ///< where they come from
    mutable std::map<Round, std::shared_ptr<const NeighbourLists>> m_graphs; ///< not forgotten
    mutable Round m_firstKept{0};                         ///< earlier ones are gone
    mutable std::vector<Edge> m_lastEdges;                ///< of the last graph made
    mutable std::shared_ptr<const NeighbourLists> m_last; ///< that graph
};

/**
 * @brief A sequence that follows the run: the graph of a round is that of the moment when the first
 *        node begins it, in whichever process.
 *
 * Nodes that come later find the same graph, wherever the world has moved meanwhile, so that sender
 * and receiver agree on whom a round joins. A node that waits for no other, since none sends to it,
 * may begin rounds long before the others and thereby fix their graphs: give local steps a time
 * above 0.
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

    /// What the run can be asked.
    const RunWorld& World() const
    {
        return m_world;
    }

    /// The run's clock. @throws Error if no run was attached
    double Now() const;

  private:
    std::vector<Edge> AgreedEdges(Round round) const override
    {
        const auto make = [this, round] { return MakeEdges(round); };
        return m_world.agree ? m_world.agree(round, make) : make();
    }

    RunWorld m_world; ///< see World()
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_ROUND_GRAPH_SEQUENCE_H
