// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GRAPH_FAMILIES_H
#define DPDL_TOPOLOGY_GRAPH_FAMILIES_H

#include "dpdl/base/random.h"
#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// A uniformly random permutation of all nodes. @param round of its random numbers
std::vector<NodeId> RandomOrder(std::size_t nodes, RandomSeed seed, Round round);

/// A function that makes a graph sequence; see GraphSequenceFactory.
using MakeGraphs = std::shared_ptr<GraphSequence>(const std::string& argument,
                                                  std::size_t nodes,
                                                  RandomSeed seed);

MakeGraphs MakeExponential;
MakeGraphs MakeExponentialPeers;
MakeGraphs MakeAlternatingExponential;
MakeGraphs MakeAlternatingLinear;
MakeGraphs MakeBipartiteExponential;
MakeGraphs MakeBipartiteLinear;
MakeGraphs MakeStrides;
MakeGraphs MakeRing;
MakeGraphs MakeUndirectedRing;
MakeGraphs MakeOutDegree;
MakeGraphs MakeComplete;

MakeGraphs MakeHypercube;
MakeGraphs MakePermutedHypercube;
MakeGraphs MakeBase;

MakeGraphs MakeEquiStatic;
MakeGraphs MakeEquiDynamic;

MakeGraphs MakeRadius;
MakeGraphs MakeMobility;

MakeGraphs MakeRandom;
MakeGraphs MakeRandomStatic;
MakeGraphs MakeRandomPeer;
MakeGraphs MakeRandomOut;
MakeGraphs MakePairwise;
MakeGraphs MakeSmallWorld;

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_FAMILIES_H
