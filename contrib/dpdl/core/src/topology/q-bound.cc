// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/q-bound.h"

#include "directed-graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dpdl
{

namespace
{

/// The edges of rounds first .. first + length - 1 together.
DirectedGraph
UnionGraph(const GraphSequence& sequence, Round first, Round length)
{
    std::vector<Edge> edges;
    for (Round round = first; round < first + length; ++round)
    {
        for (NodeId source = 0; source < sequence.Nodes(); ++source)
        {
            for (const NodeId target : sequence.OutNeighbours(source, round))
            {
                edges.push_back({source, target});
            }
        }
    }
    return DirectedGraph(sequence.Nodes(), edges);
}

/// B, or 0. The end of the shortest connected window never moves back as its start moves on.
Round
ConnectedWindow(const GraphSequence& sequence)
{
    const Round period = sequence.Period();
    if (period == 0 || !UnionGraph(sequence, 0, period).IsStronglyConnected())
    {
        return 0;
    }
    Round longest = 1;
    Round length = 1;
    for (Round first = 0; first < period && longest < period; ++first)
    {
        while (length < period && !UnionGraph(sequence, first, length).IsStronglyConnected())
        {
            ++length;
        }
        longest = std::max(longest, length);
        length = std::max<Round>(length - 1, 1);
    }
    return longest;
}

unsigned
LargestDiameter(const GraphSequence& sequence, Round windowB)
{
    const Round period = sequence.Period();
    unsigned diameter = 0;
    for (Round window = 0; window < period / std::gcd(period, windowB); ++window)
    {
        const Round first = static_cast<std::uint64_t>(window) * windowB % period;
        diameter = std::max(diameter, UnionGraph(sequence, first, windowB).Diameter());
    }
    return diameter;
}

/// 1 / e: the largest number of shares that a node ever makes.
std::size_t
MostShares(const GraphSequence& sequence)
{
    std::size_t most = 1;
    for (Round round = 0; round < std::max<Round>(sequence.Period(), 1); ++round)
    {
        for (NodeId node = 0; node < sequence.Nodes(); ++node)
        {
            most = std::max(most, sequence.OutNeighbours(node, round).size() + 1);
        }
    }
    return most;
}

} // namespace

TopologyBound
ComputeTopologyBound(const GraphSequence& sequence)
{
    TopologyBound bound;
    const double shares = static_cast<double>(MostShares(sequence));
    bound.minimumWeight = 1.0 / shares;
    bound.logOneMinusQ = -std::numeric_limits<double>::infinity();
    bound.windowB = ConnectedWindow(sequence);
    bound.stronglyConnected = bound.windowB > 0;
    if (!bound.stronglyConnected)
    {
        return bound;
    }
    bound.diameter = LargestDiameter(sequence, bound.windowB);
    const double h = static_cast<double>(bound.diameter) * bound.windowB;
    const double logSmallest =
        std::log(static_cast<double>(sequence.Nodes())) - h * std::log(shares);
    const double smallest = std::min(std::exp(logSmallest), 1.0);
    bound.oneMinusQ = -std::expm1(std::log1p(-smallest) / (h + 1.0));
    bound.q = 1.0 - bound.oneMinusQ;
    bound.logOneMinusQ = smallest > std::numeric_limits<double>::min()
                             ? std::log(bound.oneMinusQ)
                             : logSmallest - std::log(h + 1.0);
    return bound;
}

} // namespace dpdl
