// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/synchronised-graphs.h"

#include "dpdl/topology/topologies.h"

#include <numeric>

namespace dpdl
{

SynchronisedGraphs::SynchronisedGraphs(std::shared_ptr<GraphSequence> graphs, Round every)
    : m_graphs(std::move(graphs)),
      m_complete(MakeGraphSequence("complete", m_graphs->Nodes(), {})),
      m_every(every)
{
}

std::size_t
SynchronisedGraphs::Nodes() const
{
    return m_graphs->Nodes();
}

Round
SynchronisedGraphs::Period() const
{
    return std::lcm(m_graphs->Period(), m_every);
}

const std::vector<NodeId>&
SynchronisedGraphs::OutNeighbours(NodeId node, Round round) const
{
    return (IsComplete(round) ? m_complete : m_graphs)->OutNeighbours(node, round);
}

const std::vector<NodeId>&
SynchronisedGraphs::InNeighbours(NodeId node, Round round) const
{
    return (IsComplete(round) ? m_complete : m_graphs)->InNeighbours(node, round);
}

void
SynchronisedGraphs::Attach(const RunWorld& world)
{
    m_graphs->Attach(world);
}

void
SynchronisedGraphs::BeginRound(Round round) const
{
    m_graphs->BeginRound(round);
}

void
SynchronisedGraphs::Forget(Round round) const
{
    m_graphs->Forget(round);
}

std::optional<Position>
SynchronisedGraphs::PositionOf(NodeId node) const
{
    return m_graphs->PositionOf(node);
}

std::optional<std::vector<Edge>>
SynchronisedGraphs::PossibleEdges() const
{
    return m_complete->PossibleEdges();
}

} // namespace dpdl
