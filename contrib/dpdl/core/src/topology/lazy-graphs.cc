// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/lazy-graphs.h"

#include <utility>

namespace dpdl
{

LazyGraphs::LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate)
    : m_graphs(std::move(graphs)),
      m_rate(rate)
{
}

std::size_t
LazyGraphs::Nodes() const
{
    return m_graphs->Nodes();
}

Round
LazyGraphs::Period() const
{
    return m_graphs->Period();
}

const std::vector<NodeId>&
LazyGraphs::OutNeighbours(NodeId node, Round round) const
{
    return m_graphs->OutNeighbours(node, round);
}

const std::vector<NodeId>&
LazyGraphs::InNeighbours(NodeId node, Round round) const
{
    return m_graphs->InNeighbours(node, round);
}

double
LazyGraphs::Weight(NodeId source, NodeId target, Round round) const
{
    const double weight = m_rate * m_graphs->Weight(source, target, round);
    return source == target ? 1.0 - m_rate + weight : weight;
}

bool
LazyGraphs::KeepsShare(NodeId node, Round round) const
{
    return m_rate < 1.0 || m_graphs->KeepsShare(node, round);
}

void
LazyGraphs::Attach(const RunWorld& world)
{
    m_graphs->Attach(world);
}

bool
LazyGraphs::FollowsRun() const
{
    return m_graphs->FollowsRun();
}

void
LazyGraphs::BeginRound(Round round) const
{
    m_graphs->BeginRound(round);
}

void
LazyGraphs::Forget(Round round) const
{
    m_graphs->Forget(round);
}

std::optional<Position>
LazyGraphs::PositionOf(NodeId node) const
{
    return m_graphs->PositionOf(node);
}

std::optional<std::vector<Edge>>
LazyGraphs::PossibleEdges() const
{
    return m_graphs->PossibleEdges();
}

} // namespace dpdl
