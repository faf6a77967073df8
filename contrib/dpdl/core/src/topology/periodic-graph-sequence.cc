// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/periodic-graph-sequence.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <string>

namespace dpdl
{

PeriodicGraphSequence::PeriodicGraphSequence(std::size_t nodes,
                                             const std::vector<std::vector<Edge>>& phases)
    : m_nodes(nodes)
{
    if (nodes < 2 || phases.empty())
    {
        throw Error("a graph sequence needs at least two nodes and one phase");
    }
    constexpr std::size_t NONE = static_cast<std::size_t>(-1);
    std::size_t emptyGraph = NONE;
    for (const std::vector<Edge>& edges : phases)
    {
        if (edges.empty() && emptyGraph != NONE)
        {
            m_graphOfPhase.push_back(emptyGraph);
            continue;
        }
        if (edges.empty())
        {
            emptyGraph = m_graphs.size();
        }
        m_graphOfPhase.push_back(m_graphs.size());
        m_graphs.push_back(MakeAdjacency(nodes, edges));
    }
}

PeriodicGraphSequence::Adjacency
PeriodicGraphSequence::MakeAdjacency(std::size_t nodes, const std::vector<Edge>& edges)
{
    Adjacency graph;
    graph.out.resize(nodes);
    graph.in.resize(nodes);
    for (const Edge& edge : edges)
    {
        if (edge.source >= nodes || edge.target >= nodes || edge.source == edge.target)
        {
            throw Error("an edge must join two different nodes in 0.." + std::to_string(nodes - 1));
        }
        graph.out[edge.source].push_back(edge.target);
        graph.in[edge.target].push_back(edge.source);
    }
    for (std::size_t node = 0; node < nodes; ++node)
    {
        std::sort(graph.out[node].begin(), graph.out[node].end());
        std::sort(graph.in[node].begin(), graph.in[node].end());
        if (std::adjacent_find(graph.out[node].begin(), graph.out[node].end()) !=
            graph.out[node].end())
        {
            throw Error("node " + std::to_string(node) + " has the same out-neighbour twice");
        }
    }
    return graph;
}

} // namespace dpdl
