// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// Parameter eta in (0, 1) of topology `equi-dynamic`. The mixing matrix is W = (1 - eta) I + eta
/// ((n - 1) / n S + I / n). The permutation matrix S shifts all nodes by the drawn distance.
constexpr double STEP = 0.5;

/// Draws @p count different random distances in 1..n-1, which all nodes use.
std::vector<NodeId>
DrawHops(std::size_t nodes, std::size_t count, RandomSeed seed)
{
    std::vector<NodeId> hops(nodes - 1);
    std::iota(hops.begin(), hops.end(), 1);
    // Nodes have the indices 0..n-1. No other topology uses the random stream of the next index, n.
    WordSequence words(RandomStream(seed, RandomPurpose::TOPOLOGY, static_cast<NodeId>(nodes), 0));
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto left = static_cast<std::uint32_t>(hops.size() - i);
        std::swap(hops[i], hops[i + words.Integer(left)]);
    }
    hops.resize(count);
    return hops;
}

/// Appends an edge from every node to the node @p hop indices ahead (modulo n), each with the
/// weight part (n - 1) / n.
void
AddHop(std::size_t nodes, NodeId hop, double part, std::vector<Edge>& edges)
{
    const auto n = static_cast<NodeId>(nodes);
    const double weight = part * (static_cast<double>(n) - 1.0) / static_cast<double>(n);
    for (NodeId node = 0; node < n; ++node)
    {
        edges.push_back({node, (node + hop) % n, weight});
    }
}

} // namespace

std::shared_ptr<GraphSequence>
MakeEquiStatic(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const std::vector<NodeId> hops =
        DrawHops(nodes, ParsePeers("equi-static", "M", argument, nodes), seed);
    std::vector<Edge> edges;
    for (const NodeId hop : hops)
    {
        AddHop(nodes, hop, 1.0 / static_cast<double>(hops.size()), edges);
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, std::vector<std::vector<Edge>>{edges});
}

std::shared_ptr<GraphSequence>
MakeEquiDynamic(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const auto hops = DrawHops(nodes, ParsePeers("equi-dynamic", "M", argument, nodes), seed);
    const auto draw = [=](Round round) {
        const RandomStream stream(seed, RandomPurpose::TOPOLOGY, 0, round);
        std::vector<Edge> edges;
        AddHop(nodes,
               hops[stream.Integer(0, static_cast<std::uint32_t>(hops.size()))],
               STEP,
               edges);
        return edges;
    };
    return DrawnGraphs(nodes, draw, [=] {
        std::vector<Edge> edges;
        for (const NodeId hop : hops)
        {
            AddHop(nodes, hop, STEP, edges);
        }
        return edges;
    });
}

} // namespace dpdl
