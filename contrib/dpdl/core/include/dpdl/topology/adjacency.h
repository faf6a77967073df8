// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_ADJACENCY_H
#define DPDL_TOPOLOGY_ADJACENCY_H

#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Both directions of one graph.
struct Adjacency
{
    /**
     * @param nodes number of nodes n
     * @param edges the edges, in any order
     * @throws Error if an edge leaves 0..n-1, joins a node to itself, or stands there twice
     */
    Adjacency(std::size_t nodes, const std::vector<Edge>& edges);

    std::vector<std::vector<NodeId>> out; ///< receivers of each node, ascending
    std::vector<std::vector<NodeId>> in;  ///< senders to each node, ascending
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_ADJACENCY_H
