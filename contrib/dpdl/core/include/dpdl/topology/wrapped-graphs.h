// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WRAPPED_GRAPHS_H
#define DPDL_TOPOLOGY_WRAPPED_GRAPHS_H

#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <utility>

namespace dpdl
{

/// Base class of decorators of a graph sequence, the wrapped sequence. Forwards all queries to it.
class WrappedGraphs : public GraphSequence
{
  public:
    /// @param graphs the wrapped sequence
    explicit WrappedGraphs(std::shared_ptr<GraphSequence> graphs)
        : m_graphs(std::move(graphs))
    {
    }

    std::size_t Nodes() const override
    {
        return m_graphs->Nodes();
    }

    Round Period() const override
    {
        return m_graphs->Period();
    }

    const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const override
    {
        return At(round).OutNeighbours(node, round);
    }

    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override
    {
        return At(round).InNeighbours(node, round);
    }

    bool KeepsShare(NodeId node, Round round) const override
    {
        return At(round).KeepsShare(node, round);
    }

    double Weight(NodeId source, NodeId target, Round round) const override
    {
        return At(round).Weight(source, target, round);
    }

    void Attach(const RunWorld& world) override
    {
        m_graphs->Attach(world);
    }

    bool FollowsRun() const override
    {
        return m_graphs->FollowsRun();
    }

    void BeginRound(Round round) const override
    {
        m_graphs->BeginRound(round);
    }

    void Forget(Round round) const override
    {
        m_graphs->Forget(round);
    }

    std::optional<Position> PositionOf(NodeId node) const override
    {
        return m_graphs->PositionOf(node);
    }

    std::optional<std::vector<Edge>> PossibleEdges() const override
    {
        return m_graphs->PossibleEdges();
    }

  protected:
    /// The sequence that has the graph of a round.
    virtual const GraphSequence& At(Round /* round */) const
    {
        return *m_graphs;
    }

  private:
    std::shared_ptr<GraphSequence> m_graphs; ///< the wrapped sequence
};

/**
 * @brief Replaces every P-th graph of the wrapped sequence by the complete graph.
 *
 * Round t has the complete graph if (t + 1) mod P = 0, and otherwise the graph of the wrapped
 * sequence. After a round with the complete graph and no lost messages, all nodes have the same
 * model. DPPS calls this a synchronisation (Zhou, Xue and Chen, arXiv:2602.11544).
 */
class SynchronisedGraphs : public WrappedGraphs
{
  public:
    /**
     * @param graphs the wrapped sequence
     * @param every P: rounds from one complete graph to the next, at least 1
     */
    SynchronisedGraphs(std::shared_ptr<GraphSequence> graphs, Round every);

    /// Least common multiple of P and the period of the wrapped sequence; 0 if that sequence is
    /// aperiodic.
    Round Period() const override;

    /// All edges of the complete graph.
    std::optional<std::vector<Edge>> PossibleEdges() const override;

  private:
    const GraphSequence& At(Round round) const override
    {
        return (round + 1) % m_every == 0 ? *m_complete : WrappedGraphs::At(round);
    }

    std::shared_ptr<const GraphSequence> m_complete; ///< the complete graph
    Round m_every; ///< P: number of rounds from one complete graph to the next
};

/**
 * @brief Lazy mixing: replaces every mixing matrix P of the wrapped sequence by (1 - rho) I + rho
 *        P, where rho in (0, 1] is the mixing rate.
 *
 * A rho below 1 keeps gossip with compressed messages stable (Koloskova, Stich and Jaggi, ICML
 * 2019).
 */
class LazyGraphs : public WrappedGraphs
{
  public:
    /**
     * @param graphs the wrapped sequence, with the mixing matrices P
     * @param rate mixing rate rho, in (0, 1]
     */
    LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate);

    double Weight(NodeId source, NodeId target, Round round) const override;
    bool KeepsShare(NodeId node, Round round) const override;

  private:
    double m_rate; ///< mixing rate rho, in (0, 1]
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WRAPPED_GRAPHS_H
