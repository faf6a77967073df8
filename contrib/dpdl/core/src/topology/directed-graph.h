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

/// A directed graph in the compressed sparse row format of Boost.Graph.
class DirectedGraph
{
  public:
    /**
     * @param nodes number of nodes
     * @param edges edges between the nodes 0..nodes-1, in any order; duplicates are ignored
     */
    DirectedGraph(std::size_t nodes, const std::vector<Edge>& edges);

    /// True if there is a path from every node to every other node.
    bool IsStronglyConnected() const;

    /// Largest distance between two nodes, in hops. Requires IsStronglyConnected().
    unsigned Diameter() const;

  private:
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

    std::size_t m_edges; ///< number of distinct edges
    Graph m_graph;       ///< the edges in Boost.Graph's format
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_DIRECTED_GRAPH_H
