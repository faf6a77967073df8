// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "shaped-graphs.h"

#include "dpdl/topology/periodic-graph-sequence.h"

#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

using Edges = std::vector<Edge>;

std::shared_ptr<GraphSequence>
Static(std::size_t nodes, Edges edges)
{
    return std::make_shared<PeriodicGraphSequence>(nodes, std::vector<Edges>{std::move(edges)});
}

} // namespace

std::shared_ptr<GraphSequence>
MakeStar(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    Edges edges;
    for (NodeId leaf = 1; leaf < nodes; ++leaf)
    {
        edges.push_back({0, leaf});
        edges.push_back({leaf, 0});
    }
    return Static(nodes, std::move(edges));
}

std::shared_ptr<GraphSequence>
MakeLollipop(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    const auto n = static_cast<NodeId>(nodes);
    const NodeId tail = n / 2;
    Edges edges{{0, tail}};
    for (NodeId i = 0; i < tail; ++i)
    {
        for (NodeId j = 0; j < tail; ++j)
        {
            if (i != j)
            {
                edges.push_back({i, j});
            }
        }
    }
    for (NodeId i = tail; i < n; ++i)
    {
        edges.push_back({i, (i + 1) % n});
    }
    return Static(nodes, std::move(edges));
}

} // namespace dpdl
