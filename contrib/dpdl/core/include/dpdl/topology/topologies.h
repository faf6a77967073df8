// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_TOPOLOGIES_H
#define DPDL_TOPOLOGY_TOPOLOGIES_H

#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Name of the topology without edges.
constexpr const char* NO_EDGES = "none";

/// Name of the server topology: in even rounds all nodes send to node 0, in odd rounds node 0 sends
/// to all nodes.
constexpr const char* SERVER_GRAPH = "server";

/**
 * @brief A function that makes a graph sequence.
 *
 * The first parameter is the text after the colon of `NAME:ARGUMENT`; it is empty for a topology
 * without parameters. The second is the number of nodes, at least 2. The third is the seed of
 * random topologies. The function throws UsageError for a text that it does not accept.
 */
using GraphSequenceFactory =
    std::function<std::shared_ptr<GraphSequence>(const std::string&, std::size_t, RandomSeed)>;

/// Makes the server topology. In odd rounds, node 0 sends node i the fraction parts[i] / (sum of @p
/// parts) of its state. If all parts are 0, the fractions are equal.
/// @param parts relative size of the share of each node, >= 0; one entry per node
std::shared_ptr<GraphSequence> MakeServerGraph(const std::vector<double>& parts);

/// Entry of the registry Topologies().
struct Topology
{
    GraphSequenceFactory make; ///< factory of the graph sequence
    /// Estimates the mean number of messages per node and round, see ForecastDegree().
    /// @param number number after the colon of `NAME:NUMBER`; 1 if there is none
    /// @param nodes number of nodes
    double (*degree)(double number, double nodes){[](double, double) { return 2.0; }};
};

/**
 * @brief Registry of all topologies, by their names in option `topology`, scripts and traces.
 *
 * Node numbers are modulo n, the number of nodes. Every node also keeps a share. SGP's code is the
 * published program of Assran et al. 2019, whose graph types have these numbers.
 *
 * | name | in round k, node i sends to |
 * |---|---|
 * | exponential | i + 2^(k mod M), M = floor(log2(n - 1)) + 1 (Dyn-D2P, appendix E; AdaD2P) |
 * | ring | i + 1 |
 * | out-degree:D | i + 1 .. i + D - 1; D counts i's kept share (the d-Out graphs of PartPSP) |
 * | complete | all other nodes |
 * | undirected-ring | i - 1 and i + 1 (ADP-VRSGP) |
 * | strides | i + j 2^(k mod M), j = 1 .. n/2 - 1, M = floor(log2(n)) (ADP-VRSGP, heterogeneous) |
 * | alternating-exponential | i + 1, i - 1, i + 2, i - 2, i + 4, ... (SGP's code, type 0) |
 * | alternating-linear | i + 1, i - 1, i + 3, i - 3, i + 5, ... (SGP's code, type 2) |
 * | bipartite-exponential | odd i: i + 1, i - 1, i + 3, i - 3, i + 5, i - 5, i + 9, ...;
 * | | even i in the opposite direction; n even (SGP's code, type 1) |
 * | bipartite-linear | the same with 1, 3, 5, 7, ... (SGP's code, type 3) |
 * | exponential-peers:P | i + j (P + 1)^(k mod M), j = 1 .. P (SGP's code, type 5) |
 * | hypercube | the node number i with bit k mod log2(n) flipped; n = 2, 4, 8, ... |
 * | permuted-hypercube | the same, with a new random numbering every log2(n) rounds |
 * | base:K | at most K other nodes; exact average after one period (Takezawa et al. 2023) |
 * | equi-static:M, equitopo:M | i + a for M random distances a (Song et al. 2022) |
 * | equi-dynamic:M | i + a for one of M random distances a, redrawn in every round |
 * | star | node 0 to all other nodes, all other nodes to node 0 |
 * | lollipop | see below |
 * | random:P | each other node with probability P, redrawn in every round |
 * | random-static:P | the same, drawn once for all rounds |
 * | random-peer | one other node, redrawn in every round |
 * | random-out:S | S other nodes, redrawn in every round |
 * | pairwise | its partner in a random matching, redrawn in every round |
 * | small-world:K,P | its neighbours in Watts and Strogatz's graph, see below |
 * | radius:R,SIDE | all nodes within R metres; random places in a square, side SIDE metres (1000) |
 * | mobility:R | all nodes within R metres, by ns-3's positions when round k begins |
 * | file:PATH | the receivers in a file, see ReadEdgeListFile() |
 * | contacts:PATH | all nodes to which i has a contact when round k begins, see ParseContacts() |
 * | none | no node; any number of nodes from 1 on |
 *
 * lollipop: let h = n/2, rounded down. The nodes 0 .. h - 1 send to each other, node 0 also sends
 * to h, and each node i >= h sends to i + 1 (mod n). The graph is a clique and a directed tail that
 * leads back into the clique. The mixing matrices of lollipop and star are not doubly stochastic,
 * so their push-sum weights differ from 1.
 *
 * small-world: every node is connected to its K nearest nodes on a ring, K/2 on each side. Then
 * each edge between i and i + d, from d = 1 to d = K/2, is replaced with probability P by an edge
 * between i and a random node that is not yet a neighbour of i. Edges are undirected; their number
 * remains n K / 2.
 *
 * Random graphs are functions of the seed and, if redrawn, of the round. Graphs that are redrawn or
 * that depend on the run (LiveGraphSequence) are aperiodic.
 */
const Registry<Topology>& Topologies();

/**
 * @brief Registers a custom topology for MakeGraphSequence(), `list topologies` and option
 *        `topology`.
 *
 * Must be called before the first run, by the thread that starts the run.
 * @param info name, description and parameters; if it has no parameters, `NAME:ARGUMENT` is refused
 * @param make factory of the topology; see GraphSequenceFactory
 * @throws UsageError if a topology of this name is registered
 */
void RegisterTopology(PartInfo info, GraphSequenceFactory make);

/**
 * @brief Registers a static graph under a unique name.
 * @param edges edges in any order, without duplicates. A run with too few nodes for these edges is
 *        refused
 * @return the name, for option `topology`
 */
std::string EnterTopology(std::vector<Edge> edges);

/**
 * @brief Registers a graph that changes each round, under a unique name.
 * @param edges callback that returns the edges of a round. It is called once per round, when the
 *        first node begins the round
 * @return the name, for option `topology`
 */
std::string EnterTopology(std::function<std::vector<Edge>(Round)> edges);

/**
 * @brief Creates the graph sequence of option `topology`.
 * @param specification value of the option, `NAME` or `NAME:ARGUMENT`
 * @param nodes number of nodes n
 * @param seed seed of the run, for random topologies
 * @return the sequence
 * @throws UsageError naming option 'topology' if the name is unknown or reserved, an argument is
 *         missing, unexpected or out of range, or n is below 2. Also if ReadEdgeListFile() or
 *         ReadContactFile() rejects the file
 */
std::shared_ptr<GraphSequence> MakeGraphSequence(const std::string& specification,
                                                 std::size_t nodes,
                                                 RandomSeed seed);

/**
 * @brief Estimates the mean number of messages per node and round without making a graph.
 * @param specification value of option `topology`
 * @param nodes number of nodes n, at least 1
 * @return number of messages, in [0, n - 1]. For topologies without an estimate, such as files, it
 *         is at most 2
 * @throws UsageError naming option 'topology' if the name is unknown
 */
double ForecastDegree(const std::string& specification, std::size_t nodes);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_TOPOLOGIES_H
