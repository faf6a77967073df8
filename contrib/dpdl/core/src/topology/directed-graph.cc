// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "directed-graph.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <utility>

namespace dpdl
{

namespace
{

using Pairs = std::vector<std::pair<NodeId, NodeId>>;

Pairs
SortedPairs(const std::vector<Edge>& edges)
{
    Pairs pairs;
    pairs.reserve(edges.size());
    for (const Edge& edge : edges)
    {
        pairs.emplace_back(edge.source, edge.target);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace

DirectedGraph::DirectedGraph(std::size_t nodes, const std::vector<Edge>& edges)
{
    const Pairs pairs = SortedPairs(edges);
    m_edges = pairs.size();
    m_graph = Graph(boost::edges_are_sorted, pairs.begin(), pairs.end(), nodes);
}

bool
DirectedGraph::IsStronglyConnected() const
{
    std::vector<std::size_t> component(boost::num_vertices(m_graph));
    const auto index = boost::get(boost::vertex_index, m_graph);
    return boost::strong_components(m_graph,
                                    boost::make_iterator_property_map(component.begin(), index)) ==
           1;
}

unsigned
DirectedGraph::Diameter() const
{
    const std::size_t nodes = boost::num_vertices(m_graph);
    if (m_edges == nodes * (nodes - 1))
    {
        return nodes > 1 ? 1 : 0;
    }
    // Row i is a bit set of the nodes that node i reaches in at most `steps` hops. Each iteration
    // adds one hop to all rows.
    constexpr std::size_t BITS = 64;
    const std::size_t words = (nodes + BITS - 1) / BITS;
    std::vector<std::uint64_t> reached(nodes * words, 0);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        reached[node * words + node / BITS] = std::uint64_t{1} << (node % BITS);
    }
    std::vector<std::uint64_t> next;
    for (unsigned steps = 0;; ++steps)
    {
        next = reached;
        for (std::size_t node = 0; node < nodes; ++node)
        {
            for (const auto edge : boost::make_iterator_range(boost::out_edges(node, m_graph)))
            {
                const std::uint64_t* row = &reached[boost::target(edge, m_graph) * words];
                for (std::size_t word = 0; word < words; ++word)
                {
                    next[node * words + word] |= row[word];
                }
            }
        }
        if (next == reached)
        {
            return steps;
        }
        reached.swap(next);
    }
}

} // namespace dpdl
