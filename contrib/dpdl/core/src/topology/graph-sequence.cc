// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/graph-sequence.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace dpdl
{

namespace
{

/**
 * Largest deviation of a sum of mixing weights from 1.
 * @param countAt which node's sum the weight of an edge belongs to, given its source and target
 */
template <typename CountAt>
double
LargestError(const GraphSequence& sequence, Round round, const CountAt& countAt)
{
    std::vector<double> sums(sequence.Nodes());
    for (NodeId node = 0; node < sequence.Nodes(); ++node)
    {
        sums[node] += sequence.OutWeight(node, round);
        for (const NodeId source : sequence.InNeighbours(node, round))
        {
            sums[countAt(source, node)] += sequence.OutWeight(source, round);
        }
    }
    double error = 0.0;
    for (const double sum : sums)
    {
        error = std::max(error, std::fabs(sum - 1.0));
    }
    return error;
}

} // namespace

NeighbourLists::NeighbourLists(std::size_t nodes, const std::vector<Edge>& edges)
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

std::optional<std::vector<Edge>>
GraphSequence::PossibleEdges() const
{
    if (Period() == 0)
    {
        return std::nullopt;
    }
    std::vector<Edge> edges;
    for (Round round = 0; round < Period(); ++round)
    {
        for (NodeId source = 0; source < Nodes(); ++source)
        {
            for (const NodeId target : OutNeighbours(source, round))
            {
                edges.push_back({source, target});
            }
        }
    }
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

} // namespace dpdl
