// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/topologies.h"

#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "graph-families.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

// Registry of topologies: name, description, parameters, factory and estimated number of messages
// per node and round of each topology.

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

/// Server topology. In even rounds every node sends its whole mass to node 0. In odd rounds node 0
/// sends a share to every other node and keeps one share.
class ServerGraphs : public PeriodicGraphSequence
{
  public:
    using PeriodicGraphSequence::PeriodicGraphSequence;

    bool KeepsShare(NodeId node, Round round) const override
    {
        return node == 0 || round % 2 == 1;
    }
};

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

using Sequence = std::shared_ptr<GraphSequence>;

const ParameterInfo PROBABILITY{"P", "", "probability of an edge, (0, 1]"};

constexpr auto ONE_PEER = [](double, double) { return 1.0; };
constexpr auto AS_GIVEN = [](double number, double) { return number; };
constexpr auto PART_OF_ALL = [](double number, double nodes) { return number * nodes; };

/// Estimates the number of neighbours of a node in topology `radius`, in a square of the default
/// side, 1000 m. The fraction of nodes within @p reach metres is about 3 reach^2 / (1000 m)^2, at
/// most 1.
double
WithinReach(double reach, double nodes)
{
    return nodes * std::min(1.0, 3e-6 * reach * reach);
}

/// Registers the topologies of published papers.
void
AddPublished(Registry<Topology>& all)
{
    all.Add({"exponential",
             "one peer a round, 1, 2, 4, ... nodes ahead, round-robin",
             "Dyn-D2P (arXiv 2505.06651), appendix E; AdaD2P; Assran et al. 2019"},
            {MakeExponential, ONE_PEER});
    all.Add({"ring", "everybody sends to the next node", "Dyn-D2P, figure 5"},
            {MakeRing, ONE_PEER});
    all.Add({"out-degree",
             "everybody sends to the next D - 1 nodes",
             "PartPSP (arXiv 2602.11544), d-Out graphs",
             {{"D", "", "shares a node makes, the one it keeps included; 2..nodes"}}},
            {MakeOutDegree, AS_GIVEN});
    all.Add({"complete", "everybody sends to everybody", "Dyn-D2P, figure 5"},
            {MakeComplete, [](double, double nodes) { return nodes; }});
    all.Add({"undirected-ring",
             "everybody sends to the next and to the last node",
             "ADP-VRSGP, main experiments"},
            {MakeUndirectedRing});
    all.Add({"strides",
             "half of the nodes a round, in steps of 1, 2, 4, ... round-robin",
             "ADP-VRSGP, time-varying graph of the heterogeneous experiments"},
            {MakeStrides, [](double, double nodes) { return nodes / 2.0; }});
    all.Add({"alternating-exponential",
             "one peer a round, 1 ahead, 1 behind, 2 ahead, 2 behind, 4 ahead, ... round-robin",
             "Assran et al. 2019, code, graph type 0"},
            {MakeAlternatingExponential});
    all.Add({"exponential-peers",
             "P peers a round, 1..P ahead, then in steps of P + 1, (P + 1)^2, ... round-robin",
             "Assran et al. 2019, code, graph type 5",
             {{"P", "", "peers a round, 1..nodes-1; 1 is exponential"}}},
            {MakeExponentialPeers, AS_GIVEN});
    all.Add({"alternating-linear",
             "one peer a round, 1 ahead, 1 behind, 3 ahead, 3 behind, 5 ahead, ... round-robin",
             "Assran et al. 2019, code, graph type 2"},
            {MakeAlternatingLinear});
    all.Add({"bipartite-exponential",
             "pairs of an odd and an even node exchange; 1, 3, 5, 9, 17, ... apart, round-robin",
             "Assran et al. 2019, code, graph type 1"},
            {MakeBipartiteExponential});
    all.Add({"bipartite-linear",
             "pairs of an odd and an even node exchange; 1, 3, 5, 7, ... apart, round-robin",
             "Assran et al. 2019, code, graph type 3"},
            {MakeBipartiteLinear});
    all.Add({"hypercube",
             "pairs exchange, 1, 2, 4, ... apart; an exact average after log2 n rounds, n = 2^p",
             "Muffliato (arXiv 2206.05091); Takezawa et al., arXiv 2305.11420"},
            {MakeHypercube, ONE_PEER});
    all.Add({"permuted-hypercube",
             "hypercube with nodes that are numbered anew, at random, after every log2 n rounds",
             "hypercube; public coins give every pair of nodes each distance in turn"},
            {MakePermutedHypercube});
    all.Add(
        {"base",
         "at most K exchanges of a node a round, with weights where needed; an exact average of "
         "any number of nodes after one period",
         "Takezawa et al., arXiv 2305.11420, Base-(K + 1) Graph",
         {{"K", "", "peers a round at most, 1..nodes-1"}}},
        {MakeBase, AS_GIVEN});
    all.Add({"equi-static",
             "everybody sends to the nodes M random distances ahead, the same distances for all",
             "Song et al., arXiv 2210.07881, D-EquiStatic; distances differ from each other",
             {{"M", "", "distances, 1..nodes-1"}}},
            {MakeEquiStatic, AS_GIVEN});
    all.Add({"equitopo",
             "equi-static, by the name of its family",
             "Song et al., arXiv 2210.07881",
             {{"M", "", "distances, 1..nodes-1"}}},
            {MakeEquiStatic, AS_GIVEN});
    all.Add(
        {"equi-dynamic",
         "everybody sends to one node, at one of M random distances that is drawn anew in every "
         "round",
         "Song et al., arXiv 2210.07881, OD-EquiDyn with eta 1/2",
         {{"M", "", "distances to choose from, 1..nodes-1"}}},
        {MakeEquiDynamic, ONE_PEER});
}

/// Registers all other topologies.
void
AddOthers(Registry<Topology>& all)
{
    all.Add({NO_EDGES, "no edges: every node learns alone", "dpdl"},
            {[](auto&, std::size_t nodes, RandomSeed) { return Static(nodes, {}); },
             [](double, double) { return 0.0; }});
    all.Add({"star", "node 0 sends to everybody, everybody to node 0", "dpdl"}, {MakeStar});
    all.Add({SERVER_GRAPH,
             "all give node 0 what they have, then node 0 sends everybody an equal share",
             "federated averaging: McMahan et al. 2017"},
            {[](auto&, std::size_t nodes, RandomSeed) {
                 return MakeServerGraph(std::vector<double>(nodes, 0.0));
             },
             ONE_PEER});
    all.Add({"lollipop",
             "a complete half with a directed tail that leads back into it; unbalanced",
             "dpdl"},
            {MakeLollipop, [](double, double nodes) { return nodes / 4.0; }});
    all.Add({"random",
             "every possible edge with probability P, anew in every round",
             "Erdos and Renyi 1959, directed",
             {PROBABILITY}},
            {MakeRandom, PART_OF_ALL});
    all.Add({"random-static",
             "every possible edge with probability P, once for all rounds",
             "Erdos and Renyi 1959, directed",
             {PROBABILITY}},
            {MakeRandomStatic, PART_OF_ALL});
    all.Add({"random-peer",
             "everybody sends to one other node, drawn anew in every round",
             "Kempe, Dobra and Gehrke 2003, uniform gossip"},
            {MakeRandomPeer, ONE_PEER});
    all.Add({"random-out",
             "everybody sends to S other nodes, drawn anew in every round",
             "de Vos et al., arXiv 2310.01972, EL-Local; Kempe, Dobra and Gehrke 2003",
             {{"S", "", "nodes that one sends to, 1..nodes-1"}}},
            {MakeRandomOut, AS_GIVEN});
    all.Add({"pairwise",
             "the nodes meet in pairs, drawn anew in every round; one of an odd number stays alone",
             "Boyd et al. 2006, gossip; AD-PSGD and A(DP)2SGD, as a random perfect matching"},
            {MakePairwise, ONE_PEER});
    all.Add({"small-world",
             "a ring lattice, each of whose edges was rewired with probability P; both ways",
             "Watts and Strogatz 1998",
             {{"K", "", "neighbours of a node in the lattice; even, 2..nodes-1"},
              {"P", "", "probability that an edge was rewired, [0, 1]"}}},
            {MakeSmallWorld, AS_GIVEN});
    all.Add({"radius",
             "nodes drawn in a square, joined both ways if they are within reach",
             "Gilbert 1961",
             {{"R", "", "reach in metres, above 0"},
              {"SIDE", "1000", "side of the square in metres, above 0"}}},
            {MakeRadius, WithinReach});
    all.Add({"mobility",
             "the simulation's own nodes, joined both ways if within reach when a round begins",
             "dpdl; needs an ns-3 MobilityModel on every node",
             {{"R", "", "reach in metres, above 0"}}},
            {MakeMobility});
    all.Add(
        {"file",
         "a graph or a cycle of graphs from an edge list",
         "dpdl; lines of 'source target', 'phase source target' or 'phase source target weight', "
         "perhaps behind these names",
         {{"PATH", "", "the file"}}},
        {[](auto& path, std::size_t nodes, RandomSeed) { return ReadEdgeListFile(path, nodes); }});
    all.Add(
        {"contacts",
         "who is in contact when a round begins, from a contact trace",
         "dpdl; lines of 'start end source target', times in seconds",
         {{"PATH", "", "the file"}}},
        {[](auto& path, std::size_t nodes, RandomSeed) { return ReadContactFile(path, nodes); }});
}

Registry<Topology>
MakeRegistry()
{
    Registry<Topology> all(TOPOLOGY_OPTION);
    AddPublished(all);
    AddOthers(all);
    return all;
}

/// Accepted form of a topology for error messages, `NAME:P1,P2`: only parameters without a default
/// are shown.
std::string
Form(const PartInfo& info)
{
    std::string form = info.name;
    for (const ParameterInfo& parameter : info.parameters)
    {
        if (parameter.defaultValue.empty())
        {
            form += (form == info.name ? ":" : ",") + parameter.name;
        }
    }
    return form;
}

/// Registry of all topologies, including those that a user's program has registered.
Registry<Topology>&
AllTopologies()
{
    static Registry<Topology> all = MakeRegistry();
    return all;
}

} // namespace

const Registry<Topology>&
Topologies()
{
    return AllTopologies();
}

void
RegisterTopology(PartInfo info, GraphSequenceFactory make)
{
    AllTopologies().Add(std::move(info), {std::move(make)});
}

Sequence
MakeGraphSequence(const std::string& specification, std::size_t nodes, RandomSeed seed)
{
    const std::size_t colon = specification.find(':');
    const bool hasArgument = colon != std::string::npos;
    const std::string name = specification.substr(0, colon);
    const std::string argument = hasArgument ? specification.substr(colon + 1) : "";
    const PartInfo& info = Topologies().Info(name);
    DPDL_REFUSE_IF(info.parameters.empty() && hasArgument,
                   TOPOLOGY_OPTION,
                   specification,
                   name + ", which takes no argument");
    DPDL_REFUSE_IF(!info.parameters.empty() && argument.empty(),
                   TOPOLOGY_OPTION,
                   specification,
                   Form(info));
    DPDL_REFUSE_IF(nodes < 2 && name != NO_EDGES,
                   TOPOLOGY_OPTION,
                   specification,
                   "at least 2 nodes, not " + std::to_string(nodes));
    return Topologies().Get(name).make(argument, nodes, seed);
}

double
ForecastDegree(const std::string& specification, std::size_t nodes)
{
    const std::size_t colon = specification.find(':');
    std::istringstream argument(colon == std::string::npos ? "" : specification.substr(colon + 1));
    double number = 1.0;
    number = argument >> number ? number : 1.0;
    const auto all = static_cast<double>(nodes);
    const double degree = Topologies().Get(specification.substr(0, colon)).degree(number, all);
    return std::clamp(degree, 0.0, all - 1.0);
}

std::shared_ptr<GraphSequence>
MakeServerGraph(const std::vector<double>& parts)
{
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<Edges> phases(2);
    for (NodeId client = 1; client < parts.size(); ++client)
    {
        phases[0].push_back({client, 0});
        phases[1].push_back({0, client, all > 0.0 ? parts[client] / all : 0.0});
    }
    return std::make_shared<ServerGraphs>(parts.size(), phases);
}

} // namespace dpdl
