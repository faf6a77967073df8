// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "directed-graph.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
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
    const auto index = boost::get(boost::vertex_index, m_graph);
    std::vector<unsigned> distance(nodes);
    std::vector<boost::default_color_type> colour(nodes);
    unsigned diameter = 0;
    for (std::size_t start = 0; start < nodes; ++start)
    {
        std::fill(distance.begin(), distance.end(), 0U);
        const auto distanceMap = boost::make_iterator_property_map(distance.begin(), index);
        boost::breadth_first_search(
            m_graph,
            start,
            boost::visitor(boost::make_bfs_visitor(
                               boost::record_distances(distanceMap, boost::on_tree_edge())))
                .color_map(boost::make_iterator_property_map(colour.begin(), index)));
        diameter = std::max(diameter, *std::max_element(distance.begin(), distance.end()));
    }
    return diameter;
}

} // namespace dpdl
