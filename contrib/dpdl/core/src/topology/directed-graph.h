// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_DIRECTED_GRAPH_H
#define DPDL_TOPOLOGY_DIRECTED_GRAPH_H

#include "dpdl/topology/graph-sequence.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// A directed graph, stored as Boost.Graph's compressed sparse row graph.
class DirectedGraph
{
  public:
    /**
     * @param nodes number of nodes
     * @param edges edges between nodes 0..nodes-1, in any order; duplicates are ignored
     */
    DirectedGraph(std::size_t nodes, const std::vector<Edge>& edges);

    /// True if every node reaches every other.
    bool IsStronglyConnected() const;

    /// Largest distance between two nodes, in hops; the graph must be strongly connected.
    unsigned Diameter() const;

  private:
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

    std::size_t m_edges; ///< number of distinct edges
    Graph m_graph;       ///< the graph
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_DIRECTED_GRAPH_H
