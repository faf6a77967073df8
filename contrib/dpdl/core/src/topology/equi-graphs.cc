// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// eta of `equi-dynamic`: W = (1 - eta) I + eta ((n - 1) / n shift + I / n).
constexpr double STEP = 0.5;

/// Distinct random distances in 1..n-1, the same for all nodes.
std::vector<NodeId>
DrawHops(std::size_t nodes, std::size_t count, RandomSeed seed)
{
    std::vector<NodeId> hops(nodes - 1);
    std::iota(hops.begin(), hops.end(), 1);
    // Number n is not a node, so no other topology uses this stream.
    WordSequence words(RandomStream(seed, RandomPurpose::TOPOLOGY, static_cast<NodeId>(nodes), 0));
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto left = static_cast<std::uint32_t>(hops.size() - i);
        std::swap(hops[i], hops[i + words.Integer(left)]);
    }
    hops.resize(count);
    return hops;
}

/// Edges from every node to the node @p hop ahead, each proportional to (n - 1) / n.
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

/// `equi-dynamic:M`.
class EquiDynamicSequence : public RoundGraphSequence
{
  public:
    EquiDynamicSequence(std::size_t nodes, std::vector<NodeId> hops, RandomSeed seed)
        : RoundGraphSequence(nodes, Source::ROUND),
          m_hops(std::move(hops)),
          m_seed(seed)
    {
    }

    std::optional<std::vector<Edge>> PossibleEdges() const override
    {
        std::vector<Edge> edges;
        for (const NodeId hop : m_hops)
        {
            AddHop(Nodes(), hop, STEP, edges);
        }
        return edges;
    }

  private:
    std::vector<Edge> MakeEdges(Round round) const override
    {
        const RandomStream stream(m_seed, RandomPurpose::TOPOLOGY, 0, round);
        std::vector<Edge> edges;
        const std::uint32_t choice = stream.Integer(0, static_cast<std::uint32_t>(m_hops.size()));
        AddHop(Nodes(), m_hops[choice], STEP, edges);
        return edges;
    }

    std::vector<NodeId> m_hops; ///< distances from which rounds draw
    RandomSeed m_seed;          ///< the run's
};

std::vector<NodeId>
ParseHops(const std::string& name, const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const TopologyArguments arguments(name,
                                      argument,
                                      name + ":M with M in 1.." + std::to_string(nodes - 1));
    arguments.CheckCount(1, 1);
    return DrawHops(nodes, arguments.Integer(0, 1, nodes - 1), seed);
}

} // namespace

std::shared_ptr<GraphSequence>
MakeEquiStatic(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const std::vector<NodeId> hops = ParseHops("equi-static", argument, nodes, seed);
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
    return std::make_shared<EquiDynamicSequence>(nodes,
                                                 ParseHops("equi-dynamic", argument, nodes, seed),
                                                 seed);
}

} // namespace dpdl
