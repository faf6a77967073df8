// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/topologies.h"

#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/periodic-graph-sequence.h"

#include <charconv>
#include <utility>

namespace dpdl
{

namespace
{

using Sequence = std::shared_ptr<const GraphSequence>;
using Edges = std::vector<Edge>;

const char* const OPTION = "option 'topology'";

/// The edges from every node to those at the given distances.
Edges
Circulant(std::size_t nodes, std::size_t nearest, std::size_t farthest)
{
    Edges edges;
    for (std::size_t i = 0; i < nodes; ++i)
    {
        for (std::size_t hop = nearest; hop <= farthest; ++hop)
        {
            edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>((i + hop) % nodes)});
        }
    }
    return edges;
}

Sequence
Static(std::size_t nodes, Edges edges)
{
    return std::make_shared<PeriodicGraphSequence>(nodes, std::vector<Edges>{std::move(edges)});
}

Sequence
Exponential(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    std::vector<Edges> phases;
    for (std::size_t hop = 1; hop < nodes; hop *= 2)
    {
        phases.push_back(Circulant(nodes, hop, hop));
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, phases);
}

Sequence
Ring(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return Static(nodes, Circulant(nodes, 1, 1));
}

Sequence
OutDegree(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    std::size_t degree = 0;
    const char* end = argument.data() + argument.size();
    const auto result = std::from_chars(argument.data(), end, degree);
    if (result.ec != std::errc() || result.ptr != end || degree < 2 || degree > nodes)
    {
        throw UsageError(OPTION,
                         "out-degree:" + argument,
                         "out-degree:D with D in 2.." + std::to_string(nodes) +
                             " (the share that a node keeps counts)");
    }
    return Static(nodes, Circulant(nodes, 1, degree - 1));
}

Sequence
Complete(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    return Static(nodes, Circulant(nodes, 1, nodes - 1));
}

Sequence
Star(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    Edges edges;
    for (NodeId leaf = 1; leaf < nodes; ++leaf)
    {
        edges.push_back({0, leaf});
        edges.push_back({leaf, 0});
    }
    return Static(nodes, std::move(edges));
}

Sequence
Lollipop(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
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

Sequence
FromFile(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    return ReadEdgeListFile(argument, nodes);
}

Registry<GraphSequenceFactory>
MakeRegistry()
{
    Registry<GraphSequenceFactory> all(OPTION);
    all.Add({"exponential",
             "one peer a round, 1, 2, 4, ... nodes ahead in turn",
             "Dyn-D2P (arXiv 2505.06651), appendix E; Assran et al. 2019",
             {}},
            Exponential);
    all.Add({"ring", "everybody sends to the next node", "Dyn-D2P, figure 5", {}}, Ring);
    all.Add({"out-degree",
             "everybody sends to the next D - 1 nodes",
             "PartPSP (arXiv 2602.11544), d-Out graphs",
             {{"D", "", "shares a node makes, the one it keeps included; 2..nodes"}}},
            OutDegree);
    all.Add({"complete", "everybody sends to everybody", "Dyn-D2P, figure 5", {}}, Complete);
    all.Add({"star", "node 0 sends to everybody, everybody to node 0", "dpdl", {}}, Star);
    all.Add({"lollipop",
             "a complete half with a directed tail that leads back into it; unbalanced",
             "dpdl",
             {}},
            Lollipop);
    all.Add({"file",
             "a graph or a cycle of graphs from an edge list",
             "dpdl; lines of 'source target' or 'phase source target'",
             {{"PATH", "", "the file"}}},
            FromFile);
    all.Reserve({"random",
                 "every possible edge with probability P, anew in every round",
                 "Erdos and Renyi 1959",
                 {{"P", "", "probability of an edge, (0, 1]"}}});
    all.Reserve({"radius",
                 "edges between nodes that are near each other",
                 "Gilbert 1961",
                 {{"R", "", "reach in metres, above 0"}}});
    return all;
}

const PartInfo&
InfoOf(const std::string& name)
{
    const std::vector<PartInfo>& infos = Topologies().List();
    std::size_t i = 0;
    while (infos[i].name != name)
    {
        ++i;
    }
    return infos[i];
}

} // namespace

const Registry<GraphSequenceFactory>&
Topologies()
{
    static const Registry<GraphSequenceFactory> ALL = MakeRegistry();
    return ALL;
}

Sequence
MakeGraphSequence(const std::string& specification, std::size_t nodes, RandomSeed seed)
{
    const std::size_t colon = specification.find(':');
    const bool hasArgument = colon != std::string::npos;
    const std::string name = specification.substr(0, colon);
    const std::string argument = hasArgument ? specification.substr(colon + 1) : "";
    const GraphSequenceFactory& factory = Topologies().Get(name);
    const std::vector<ParameterInfo>& parameters = InfoOf(name).parameters;
    if (parameters.empty() && hasArgument)
    {
        throw UsageError(OPTION, specification, name + ", which takes no argument");
    }
    if (!parameters.empty() && argument.empty())
    {
        throw UsageError(OPTION, specification, name + ":" + parameters.front().name);
    }
    if (nodes < 2)
    {
        throw UsageError(OPTION, specification, "at least 2 nodes, not " + std::to_string(nodes));
    }
    return factory(argument, nodes, seed);
}

} // namespace dpdl
