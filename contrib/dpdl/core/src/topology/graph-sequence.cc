// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/graph-sequence.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/wrapped-graphs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

// Common functions of all graph sequences: weights, checks of stochasticity, adjacency lists, and
// the cache of recent rounds of aperiodic sequences.

namespace dpdl
{

namespace
{

/**
 * @brief Sums the mixing weights of a round by node, including the weight of the share that a node
 *        keeps. Returns the largest deviation of a sum from 1.
 * @param sequence the topology
 * @param round round of the weights
 * @param countAt maps the source and target of an edge to the node whose sum includes the edge
 */
template <typename CountAt>
double
LargestError(const GraphSequence& sequence, Round round, const CountAt& countAt)
{
    std::vector<double> sums(sequence.Nodes());
    for (NodeId node = 0; node < sequence.Nodes(); ++node)
    {
        sums[node] += sequence.Weight(node, node, round);
        for (const NodeId source : sequence.InNeighbours(node, round))
        {
            sums[countAt(source, node)] += sequence.Weight(source, node, round);
        }
    }
    double error = 0.0;
    for (const double sum : sums)
    {
        error = std::max(error, std::fabs(sum - 1.0));
    }
    return error;
}

bool
AreEqual(const std::vector<Edge>& a, const std::vector<Edge>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Edge& x, const Edge& y) {
        return x.source == y.source && x.target == y.target && x.weight == y.weight;
    });
}

} // namespace

NeighbourLists::NeighbourLists(std::size_t nodes, const std::vector<Edge>& edges)
    : out(nodes),
      in(nodes),
      weights(!edges.empty() && edges.front().weight != 0.0 ? nodes : 0)
{
    for (const Edge& edge : edges)
    {
        if (edge.source >= nodes || edge.target >= nodes || edge.source == edge.target)
        {
            throw Error("edge " + std::to_string(edge.source) + "->" + std::to_string(edge.target) +
                        " must join two different nodes in 0.." + std::to_string(nodes - 1));
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
    AddWeights(edges);
}

void
NeighbourLists::AddWeights(const std::vector<Edge>& edges)
{
    for (std::size_t node = 0; node < weights.size(); ++node)
    {
        weights[node].resize(out[node].size());
    }
    std::vector<double> given(weights.size());
    for (const Edge& edge : edges)
    {
        if (weights.empty() ? edge.weight != 0.0 : !(edge.weight > 0.0 && edge.weight <= 1.0))
        {
            throw Error("edge " + std::to_string(edge.source) + "->" + std::to_string(edge.target) +
                        " needs a weight in (0, 1], as all edges of its round or none");
        }
        if (!weights.empty())
        {
            weights[edge.source][PlaceOf(edge.source, edge.target)] = edge.weight;
            given[edge.source] += edge.weight;
        }
    }
    for (std::size_t node = 0; node < given.size(); ++node)
    {
        if (given[node] > 1.0 - LEAST_KEPT)
        {
            throw Error("the edges of node " + std::to_string(node) + " have weights of sum " +
                        ShowNumber(given[node]) + "; expected less than 1: it keeps the rest");
        }
    }
}

std::size_t
NeighbourLists::PlaceOf(NodeId source, NodeId target) const
{
    const std::vector<NodeId>& targets = out[source];
    return std::lower_bound(targets.begin(), targets.end(), target) - targets.begin();
}

double
NeighbourLists::Weight(NodeId source, NodeId target) const
{
    const std::vector<double>& given = weights[source];
    return source == target ? 1.0 - std::accumulate(given.begin(), given.end(), 0.0)
                            : given[PlaceOf(source, target)];
}

double
GraphSequence::Weight(NodeId source, NodeId target, Round round) const
{
    const bool keeps = KeepsShare(source, round);
    if (source == target && !keeps)
    {
        return 0.0;
    }
    return 1.0 / static_cast<double>(OutNeighbours(source, round).size() + (keeps ? 1 : 0));
}

std::optional<std::vector<Edge>>
GraphSequence::PossibleEdges() const
{
    if (Period() == 0)
    {
        return std::nullopt;
    }
    std::vector<Edge> edges;
    ForEachEdge(*this, 0, Period(), [&edges](NodeId source, NodeId target) {
        edges.push_back({source, target});
    });
    return edges;
}

double
ColumnError(const GraphSequence& sequence, Round round)
{
    return LargestError(sequence, round, [](NodeId source, NodeId) { return source; });
}

double
RowError(const GraphSequence& sequence, Round round)
{
    return LargestError(sequence, round, [](NodeId, NodeId target) { return target; });
}

PeriodicGraphSequence::PeriodicGraphSequence(std::size_t nodes,
                                             const std::vector<std::vector<Edge>>& phases,
                                             std::vector<std::optional<Position>> positions)
    : ListedGraphSequence(nodes),
      m_positions(std::move(positions))
{
    if (nodes == 0 || phases.empty())
    {
        throw Error("a graph sequence needs a node and a phase");
    }
    constexpr std::size_t NONE = static_cast<std::size_t>(-1);
    std::size_t emptyGraph = NONE;
    for (const std::vector<Edge>& edges : phases)
    {
        if (edges.empty() && emptyGraph != NONE)
        {
            m_graphOfPhase.push_back(emptyGraph);
            continue;
        }
        if (edges.empty())
        {
            emptyGraph = m_graphs.size();
        }
        m_graphOfPhase.push_back(m_graphs.size());
        m_graphs.push_back(NeighbourLists(nodes, edges));
    }
}

RoundGraphSequence::RoundGraphSequence(std::size_t nodes, Source source)
    : ListedGraphSequence(nodes),
      m_source(source)
{
}

const NeighbourLists&
RoundGraphSequence::GraphOf(Round round) const
{
    const auto found = m_graphs.find(round);
    const NeighbourLists& graph = found != m_graphs.end() ? *found->second : Make(round);
    m_requested = round;
    return graph;
}

const NeighbourLists&
RoundGraphSequence::Make(Round round) const
{
    if (m_source == Source::MOMENT && round < m_firstKept)
    {
        throw Error("the graph of round " + std::to_string(round) + " is forgotten");
    }
    std::vector<Edge> edges = AgreedEdges(round);
    if (!m_last || !AreEqual(edges, m_lastEdges))
    {
        m_last = std::make_shared<const NeighbourLists>(Nodes(), edges);
        m_lastEdges = std::move(edges);
    }
    // Callers may hold references into the graph of the last requested round, so the cache keeps
    // this graph.
    if (m_source == Source::ROUND && m_graphs.size() == KEPT_ROUNDS)
    {
        const auto oldest = m_graphs.begin();
        const auto newest = std::prev(m_graphs.end());
        const bool isPassed = oldest->first < round && oldest->first != m_requested;
        m_graphs.erase(isPassed || newest->first == m_requested ? oldest : newest);
    }
    return *m_graphs.emplace(round, m_last).first->second;
}

void
RoundGraphSequence::Forget(Round round) const
{
    m_firstKept = std::max(m_firstKept, round);
    m_graphs.erase(m_graphs.begin(), m_graphs.lower_bound(round));
}

LiveGraphSequence::LiveGraphSequence(std::size_t nodes)
    : RoundGraphSequence(nodes, Source::MOMENT)
{
}

double
LiveGraphSequence::Now() const
{
    if (!World().now)
    {
        throw Error("a topology that follows the run needs the run's clock");
    }
    return World().now();
}

SynchronisedGraphs::SynchronisedGraphs(std::shared_ptr<GraphSequence> graphs, Round every)
    : WrappedGraphs(std::move(graphs)),
      m_complete(MakeGraphSequence("complete", Nodes(), {})),
      m_every(every)
{
}

Round
SynchronisedGraphs::Period() const
{
    return std::lcm(WrappedGraphs::Period(), m_every);
}

std::optional<std::vector<Edge>>
SynchronisedGraphs::PossibleEdges() const
{
    return m_complete->PossibleEdges();
}

LazyGraphs::LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate)
    : WrappedGraphs(std::move(graphs)),
      m_rate(rate)
{
}

double
LazyGraphs::Weight(NodeId source, NodeId target, Round round) const
{
    const double weight = m_rate * WrappedGraphs::Weight(source, target, round);
    return source == target ? 1.0 - m_rate + weight : weight;
}

bool
LazyGraphs::KeepsShare(NodeId node, Round round) const
{
    return m_rate < 1.0 || WrappedGraphs::KeepsShare(node, round);
}

} // namespace dpdl
