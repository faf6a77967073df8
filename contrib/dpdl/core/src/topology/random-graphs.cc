// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

// Random topologies. A redrawn topology is a function of seed, node and round, so the graph of any
// round can be computed again.

namespace dpdl
{

namespace
{

using Edges = std::vector<Edge>;

Edges
AllEdges(std::size_t nodes)
{
    Edges edges;
    for (NodeId source = 0; source < nodes; ++source)
    {
        for (NodeId target = 0; target < nodes; ++target)
        {
            if (source != target)
            {
                edges.push_back({source, target});
            }
        }
    }
    return edges;
}

/// Draws every ordered pair of nodes independently. The edge from i to j exists if 32-bit word j of
/// node i's random stream is below probability * 2^32.
Edges
IndependentEdges(RandomSeed seed, Round round, std::size_t nodes, double probability)
{
    const auto threshold = static_cast<std::uint64_t>(std::ceil(std::ldexp(probability, 32)));
    constexpr std::size_t CHUNK = RandomStream::WORDS_AT_ONCE;
    std::uint32_t words[CHUNK];
    Edges edges;
    for (NodeId source = 0; source < nodes; ++source)
    {
        const RandomStream stream(seed, RandomPurpose::TOPOLOGY, source, round);
        for (std::size_t first = 0; first < nodes; first += CHUNK)
        {
            stream.FillWords(first / CHUNK, words);
            const std::size_t end = std::min(CHUNK, nodes - first);
            for (std::size_t i = 0; i < end; ++i)
            {
                if (words[i] < threshold && first + i != source)
                {
                    edges.push_back({source, static_cast<NodeId>(first + i)});
                }
            }
        }
    }
    return edges;
}

/// Edges from every node to @p peers different other nodes, drawn uniformly without replacement.
Edges
EdgesToPeers(RandomSeed seed, Round round, NodeId nodes, NodeId peers)
{
    Edges edges;
    std::vector<NodeId> drawn;
    for (NodeId source = 0; source < nodes; ++source)
    {
        const RandomStream stream(seed, RandomPurpose::TOPOLOGY, source, round);
        drawn.clear();
        // Floyd's algorithm for sampling without replacement (Bentley and Floyd, CACM 1987).
        for (NodeId last = nodes - 1 - peers; last < nodes - 1; ++last)
        {
            const NodeId number = stream.Integer(drawn.size(), last + 1);
            const bool isNew = std::find(drawn.begin(), drawn.end(), number) == drawn.end();
            drawn.push_back(isNew ? number : last);
            edges.push_back({source, (source + 1 + drawn.back()) % nodes});
        }
    }
    return edges;
}

std::shared_ptr<GraphSequence>
RandomPeers(std::size_t nodes, RandomSeed seed, std::size_t peers)
{
    return DrawnGraphs(nodes, [=](Round round) {
        return EdgesToPeers(seed, round, static_cast<NodeId>(nodes), static_cast<NodeId>(peers));
    });
}

/// Graph sequence that DrawnGraphs() returns.
class RoundFunction : public RoundGraphSequence
{
  public:
    RoundFunction(std::size_t nodes, std::function<Edges(Round)> draw, EdgeMaker possible)
        : RoundGraphSequence(nodes, Source::ROUND),
          m_draw(std::move(draw)),
          m_possible(std::move(possible))
    {
    }

    std::optional<Edges> PossibleEdges() const override
    {
        return m_possible ? m_possible() : AllEdges(Nodes());
    }

  private:
    Edges MakeEdges(Round round) const override
    {
        return m_draw(round);
    }

    std::function<Edges(Round)> m_draw; ///< returns the edges of a round
    /// Returns all edges of any round; empty: all ordered pairs of nodes.
    EdgeMaker m_possible;
};

/// Builds an undirected small-world graph (Watts and Strogatz, 1998).
class SmallWorld
{
  public:
    SmallWorld(std::size_t nodes, std::size_t nearest)
        : m_nodes(nodes),
          m_joined(nodes * nodes, false),
          m_degree(nodes, nearest)
    {
        for (std::size_t node = 0; node < nodes; ++node)
        {
            for (std::size_t hop = 1; hop <= nearest / 2; ++hop)
            {
                Set(node, (node + hop) % nodes, true);
            }
        }
    }

    /// Replaces each edge between nodes i and i + hop, with the given probability, by an edge
    /// between i and a random node that is not yet a neighbour of i.
    void Rewire(RandomSeed seed, std::size_t nearest, double probability)
    {
        for (std::size_t hop = 1; hop <= nearest / 2; ++hop)
        {
            for (std::size_t node = 0; node < m_nodes; ++node)
            {
                const RandomStream stream(seed,
                                          RandomPurpose::TOPOLOGY,
                                          static_cast<NodeId>(node),
                                          static_cast<Round>(hop));
                if (stream.Uniform(0) < probability && m_degree[node] < m_nodes - 1)
                {
                    const std::size_t free = m_nodes - 1 - m_degree[node];
                    const auto choice = stream.Integer(1, static_cast<std::uint32_t>(free));
                    Move(node, (node + hop) % m_nodes, choice);
                }
            }
        }
    }

    Edges BothWays() const
    {
        Edges edges = AllEdges(m_nodes);
        edges.erase(std::remove_if(edges.begin(),
                                   edges.end(),
                                   [this](const Edge& edge) {
                                       return !m_joined[edge.source * m_nodes + edge.target];
                                   }),
                    edges.end());
        return edges;
    }

  private:
    void Set(std::size_t a, std::size_t b, bool joined)
    {
        m_joined[a * m_nodes + b] = joined;
        m_joined[b * m_nodes + a] = joined;
    }

    /// Replaces the edge from @p node to @p old by an edge to another node: the one with index
    /// @p choice among all other nodes that are not neighbours of @p node.
    void Move(std::size_t node, std::size_t old, std::size_t choice)
    {
        std::size_t target = 0;
        for (;; ++target)
        {
            const bool free = target != node && !m_joined[node * m_nodes + target];
            if (free && choice-- == 0)
            {
                break;
            }
        }
        Set(node, old, false);
        Set(node, target, true);
        --m_degree[old];
        ++m_degree[target];
    }

    std::size_t m_nodes; ///< number of nodes
    /// [n, n] row-major: true if two nodes are neighbours; symmetric.
    std::vector<bool> m_joined;
    std::vector<std::size_t> m_degree; ///< number of neighbours of each node, [n]
};

double
ParseProbability(const std::string& name, const std::string& argument)
{
    const TopologyArguments arguments(name, argument, name + ":P with P in (0, 1]");
    arguments.CheckCount(1, 1);
    return arguments.Probability(0, false);
}

} // namespace

std::shared_ptr<GraphSequence>
DrawnGraphs(std::size_t nodes, std::function<Edges(Round)> draw, EdgeMaker possible)
{
    return std::make_shared<RoundFunction>(nodes, std::move(draw), std::move(possible));
}

std::vector<NodeId>
RandomOrder(std::size_t nodes, RandomSeed seed, Round round)
{
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    WordSequence words(RandomStream(seed, RandomPurpose::TOPOLOGY, 0, round));
    for (std::size_t left = order.size(); left > 1; --left)
    {
        std::swap(order[left - 1], order[words.Integer(static_cast<std::uint32_t>(left))]);
    }
    return order;
}

std::shared_ptr<GraphSequence>
MakeRandom(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const double probability = ParseProbability("random", argument);
    return DrawnGraphs(nodes, [=](Round round) {
        return IndependentEdges(seed, round, nodes, probability);
    });
}

std::shared_ptr<GraphSequence>
MakeRandomStatic(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const double probability = ParseProbability("random-static", argument);
    return std::make_shared<PeriodicGraphSequence>(
        nodes,
        std::vector<Edges>{IndependentEdges(seed, 0, nodes, probability)});
}

std::shared_ptr<GraphSequence>
MakeRandomPeer(const std::string& /*argument*/, std::size_t nodes, RandomSeed seed)
{
    return RandomPeers(nodes, seed, 1);
}

std::shared_ptr<GraphSequence>
MakeRandomOut(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    return RandomPeers(nodes, seed, ParsePeers("random-out", "S", argument, nodes));
}

std::shared_ptr<GraphSequence>
MakePairwise(const std::string& /*argument*/, std::size_t nodes, RandomSeed seed)
{
    return DrawnGraphs(nodes, [=](Round round) {
        // Nodes at positions 2i and 2i + 1 of a random permutation form pairs. For odd n the last
        // node has no partner.
        const std::vector<NodeId> order = RandomOrder(nodes, seed, round);
        Edges edges;
        for (std::size_t i = 0; i + 1 < order.size(); i += 2)
        {
            edges.push_back({order[i], order[i + 1]});
            edges.push_back({order[i + 1], order[i]});
        }
        return edges;
    });
}

std::shared_ptr<GraphSequence>
MakeSmallWorld(const std::string& argument, std::size_t nodes, RandomSeed seed)
{
    const std::size_t most = (nodes - 1) / 2 * 2;
    const TopologyArguments arguments("small-world",
                                      argument,
                                      "small-world:K,P with an even K in 2.." +
                                          std::to_string(most) + " and P in [0, 1]");
    arguments.CheckCount(2, 2);
    const std::size_t nearest = arguments.Integer(0, 2, most);
    const double probability = arguments.Probability(1, true);
    if (nearest % 2 != 0)
    {
        arguments.Refuse();
    }
    SmallWorld graph(nodes, nearest);
    graph.Rewire(seed, nearest, probability);
    return std::make_shared<PeriodicGraphSequence>(nodes, std::vector<Edges>{graph.BothWays()});
}

} // namespace dpdl
