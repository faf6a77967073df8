// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/adjacency.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <string>

namespace dpdl
{

Adjacency::Adjacency(std::size_t nodes, const std::vector<Edge>& edges)
    : out(nodes),
      in(nodes)
{
    for (const Edge& edge : edges)
    {
        if (edge.source >= nodes || edge.target >= nodes || edge.source == edge.target)
        {
            throw Error("an edge must join two different nodes in 0.." + std::to_string(nodes - 1));
        }
        out[edge.source].push_back(edge.target);
        in[edge.target].push_back(edge.source);
    }
    for (std::size_t node = 0; node < nodes; ++node)
    {
        std::sort(out[node].begin(), out[node].end());
        std::sort(in[node].begin(), in[node].end());
        if (std::adjacent_find(out[node].begin(), out[node].end()) != out[node].end())
        {
            throw Error("node " + std::to_string(node) + " has the same out-neighbour twice");
        }
    }
}

} // namespace dpdl
