// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <set>
#include <vector>

// Circulant topologies: in a round, each node i sends to the nodes i + d modulo n, with the same
// distances d for all nodes. A topology has one list of distances for each round of its period.

namespace dpdl
{

namespace
{

using Sequence = std::shared_ptr<GraphSequence>;

/// Distances d from sender i to receiver i + d modulo n, in one round. A distance that is a
/// multiple of n gives no edge.
using Distances = std::vector<std::size_t>;

Sequence
Circulant(std::size_t nodes, const std::vector<Distances>& phases)
{
    std::vector<std::vector<Edge>> edges;
    for (const Distances& distances : phases)
    {
        std::set<std::size_t> hops;
        for (const std::size_t distance : distances)
        {
            hops.insert(distance % nodes);
        }
        hops.erase(0);
        edges.emplace_back();
        for (std::size_t node = 0; node < nodes; ++node)
        {
            for (const std::size_t hop : hops)
            {
                edges.back().push_back(
                    {static_cast<NodeId>(node), static_cast<NodeId>((node + hop) % nodes)});
            }
        }
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, edges);
}

/// Returns the distances 1, 2, ..., last.
Distances
UpTo(std::size_t last)
{
    Distances distances;
    for (std::size_t distance = 1; distance <= last; ++distance)
    {
        distances.push_back(distance);
    }
    return distances;
}

/// Each node i has one receiver per round. For each distance d in order, the period has a round
/// with receiver i + d and a round with receiver i - d. A round whose receiver equals that of an
/// earlier round of the period is skipped.
Sequence
AheadAndBehind(std::size_t nodes, const Distances& distances)
{
    std::vector<Distances> phases;
    std::set<std::size_t> taken;
    for (const std::size_t distance : distances)
    {
        for (const std::size_t hop : {distance, nodes - distance})
        {
            if (taken.insert(hop).second)
            {
                phases.push_back({hop});
            }
        }
    }
    return Circulant(nodes, phases);
}

/// Odd nodes send as in AheadAndBehind(), and even nodes send in the opposite direction. With odd
/// distances and even n, nodes always exchange in pairs.
/// @throws UsageError if n is odd
Sequence
BothWays(const std::string& topology, std::size_t nodes, const Distances& distances)
{
    DPDL_REFUSE_IF(nodes % 2 != 0,
                   TOPOLOGY_OPTION,
                   topology,
                   "an even number of nodes, not " + std::to_string(nodes));
    std::vector<std::vector<Edge>> phases;
    std::set<std::size_t> taken;
    for (const std::size_t distance : distances)
    {
        for (const std::size_t hop : {distance % nodes, nodes - distance % nodes})
        {
            if (!taken.insert(hop).second)
            {
                continue;
            }
            phases.emplace_back();
            for (std::size_t node = 0; node < nodes; ++node)
            {
                const std::size_t peer = (node + (node % 2 == 1 ? hop : nodes - hop)) % nodes;
                phases.back().push_back({static_cast<NodeId>(node), static_cast<NodeId>(peer)});
            }
        }
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, phases);
}

/// Distances 1, 3, 5, ... below n.
Distances
OddDistances(std::size_t nodes)
{
    Distances distances;
    for (std::size_t distance = 1; distance < nodes; distance += 2)
    {
        distances.push_back(distance);
    }
    return distances;
}

} // namespace

Sequence
MakeExponential(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    std::vector<Distances> phases;
    for (std::size_t hop = 1; hop < nodes; hop *= 2)
    {
        phases.push_back({hop});
    }
    return Circulant(nodes, phases);
}

Sequence
MakeExponentialPeers(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    const std::size_t peers = ParsePeers("exponential-peers", "P", argument, nodes);
    std::vector<Distances> phases;
    for (std::size_t stride = 1; stride < nodes; stride *= peers + 1)
    {
        Distances distances;
        for (std::size_t peer = 1; peer <= peers; ++peer)
        {
            distances.push_back(peer * stride);
        }
        phases.push_back(distances);
    }
    return Circulant(nodes, phases);
}

Sequence
MakeAlternatingExponential(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    Distances distances;
    for (std::size_t hop = 1; hop < nodes; hop *= 2)
    {
        distances.push_back(hop);
    }
    return AheadAndBehind(nodes, distances);
}

Sequence
MakeAlternatingLinear(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return AheadAndBehind(nodes, OddDistances(nodes));
}

Sequence
MakeBipartiteExponential(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    Distances distances{1};
    for (std::size_t hop = 2; hop < nodes; hop *= 2)
    {
        distances.push_back(1 + hop);
    }
    return BothWays("bipartite-exponential", nodes, distances);
}

Sequence
MakeBipartiteLinear(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return BothWays("bipartite-linear", nodes, OddDistances(nodes));
}

Sequence
MakeStrides(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    DPDL_REFUSE_IF(nodes < 4,
                   TOPOLOGY_OPTION,
                   "strides",
                   "at least 4 nodes, not " + std::to_string(nodes));
    std::vector<Distances> phases;
    for (std::size_t stride = 1; 2 * stride <= nodes; stride *= 2)
    {
        Distances distances = UpTo(nodes / 2 - 1);
        for (std::size_t& distance : distances)
        {
            distance *= stride;
        }
        phases.push_back(distances);
    }
    return Circulant(nodes, phases);
}

Sequence
MakeRing(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return Circulant(nodes, {{1}});
}

Sequence
MakeUndirectedRing(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return Circulant(nodes, {{1, nodes - 1}});
}

Sequence
MakeOutDegree(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    const TopologyArguments arguments("out-degree",
                                      argument,
                                      "out-degree:D with D in 2.." + std::to_string(nodes) +
                                          " (the share that a node keeps counts)");
    arguments.CheckCount(1, 1);
    return Circulant(nodes, {UpTo(arguments.Integer(0, 2, nodes) - 1)});
}

Sequence
MakeComplete(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return Circulant(nodes, {UpTo(nodes - 1)});
}

} // namespace dpdl
