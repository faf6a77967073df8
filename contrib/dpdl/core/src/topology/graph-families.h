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

/// All nodes in a random order, each order with the same probability. @param round whose coins
std::vector<NodeId> RandomOrder(std::size_t nodes, RandomSeed seed, Round round);

std::shared_ptr<GraphSequence> MakeExponential(const std::string& argument,
                                               std::size_t nodes,
                                               RandomSeed seed);
std::shared_ptr<GraphSequence> MakeExponentialPeers(const std::string& argument,
                                                    std::size_t nodes,
                                                    RandomSeed seed);
std::shared_ptr<GraphSequence> MakeAlternatingExponential(const std::string& argument,
                                                          std::size_t nodes,
                                                          RandomSeed seed);
std::shared_ptr<GraphSequence> MakeAlternatingLinear(const std::string& argument,
                                                     std::size_t nodes,
                                                     RandomSeed seed);
std::shared_ptr<GraphSequence> MakeBipartiteExponential(const std::string& argument,
                                                        std::size_t nodes,
                                                        RandomSeed seed);
std::shared_ptr<GraphSequence> MakeBipartiteLinear(const std::string& argument,
                                                   std::size_t nodes,
                                                   RandomSeed seed);
std::shared_ptr<GraphSequence> MakeStrides(const std::string& argument,
                                           std::size_t nodes,
                                           RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRing(const std::string& argument,
                                        std::size_t nodes,
                                        RandomSeed seed);
std::shared_ptr<GraphSequence> MakeUndirectedRing(const std::string& argument,
                                                  std::size_t nodes,
                                                  RandomSeed seed);
std::shared_ptr<GraphSequence> MakeOutDegree(const std::string& argument,
                                             std::size_t nodes,
                                             RandomSeed seed);
std::shared_ptr<GraphSequence> MakeComplete(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);

std::shared_ptr<GraphSequence> MakeHypercube(const std::string& argument,
                                             std::size_t nodes,
                                             RandomSeed seed);
std::shared_ptr<GraphSequence> MakePermutedHypercube(const std::string& argument,
                                                     std::size_t nodes,
                                                     RandomSeed seed);
std::shared_ptr<GraphSequence> MakeBase(const std::string& argument,
                                        std::size_t nodes,
                                        RandomSeed seed);

std::shared_ptr<GraphSequence> MakeEquiStatic(const std::string& argument,
                                              std::size_t nodes,
                                              RandomSeed seed);
std::shared_ptr<GraphSequence> MakeEquiDynamic(const std::string& argument,
                                               std::size_t nodes,
                                               RandomSeed seed);

std::shared_ptr<GraphSequence> MakeRadius(const std::string& argument,
                                          std::size_t nodes,
                                          RandomSeed seed);
std::shared_ptr<GraphSequence> MakeMobility(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);

std::shared_ptr<GraphSequence> MakeRandom(const std::string& argument,
                                          std::size_t nodes,
                                          RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRandomStatic(const std::string& argument,
                                                std::size_t nodes,
                                                RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRandomPeer(const std::string& argument,
                                              std::size_t nodes,
                                              RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRandomOut(const std::string& argument,
                                             std::size_t nodes,
                                             RandomSeed seed);
std::shared_ptr<GraphSequence> MakePairwise(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);
std::shared_ptr<GraphSequence> MakeSmallWorld(const std::string& argument,
                                              std::size_t nodes,
                                              RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GRAPH_FAMILIES_H
