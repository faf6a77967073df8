// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/synchronised-graphs.h"

#include <numeric>

namespace dpdl
{

namespace
{

std::vector<Edge>
AllEdges(std::size_t nodes)
{
    std::vector<Edge> edges;
    for (NodeId source = 0; source < nodes; ++source)
    {
        for (NodeId target = 0; target < nodes; ++target)
        {
            if (target != source)
            {
                edges.push_back({source, target});
            }
        }
    }
    return edges;
}

} // namespace

SynchronisedGraphs::SynchronisedGraphs(std::shared_ptr<GraphSequence> graphs, Round every)
    : m_graphs(std::move(graphs)),
      m_every(every),
      m_edges(AllEdges(m_graphs->Nodes())),
      m_complete(m_graphs->Nodes(), m_edges)
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
    return IsComplete(round) ? m_complete.out[node] : m_graphs->OutNeighbours(node, round);
}

const std::vector<NodeId>&
SynchronisedGraphs::InNeighbours(NodeId node, Round round) const
{
    return IsComplete(round) ? m_complete.in[node] : m_graphs->InNeighbours(node, round);
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
    return m_edges;
}

} // namespace dpdl
