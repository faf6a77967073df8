// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_WRAPPED_GRAPHS_H
#define DPDL_TOPOLOGY_WRAPPED_GRAPHS_H

#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <utility>

namespace dpdl
{

/// Another sequence of graphs, of which a class that derives from this one changes a part.
class WrappedGraphs : public GraphSequence
{
  public:
    /// @param graphs the other sequence
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
        return m_graphs->OutNeighbours(node, round);
    }

    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override
    {
        return m_graphs->InNeighbours(node, round);
    }

    bool KeepsShare(NodeId node, Round round) const override
    {
        return m_graphs->KeepsShare(node, round);
    }

    double Weight(NodeId source, NodeId target, Round round) const override
    {
        return m_graphs->Weight(source, target, round);
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

  private:
    std::shared_ptr<GraphSequence> m_graphs; ///< the other sequence
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_WRAPPED_GRAPHS_H
