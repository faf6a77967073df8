// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_RANDOM_GRAPHS_H
#define DPDL_TOPOLOGY_RANDOM_GRAPHS_H

#include "dpdl/base/random.h"
#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <string>

/**
 * @file
 * @brief Factories of random graphs: functions of (seed, round) in which no node is special.
 *        See Topologies() for what each one is.
 */

namespace dpdl
{

std::shared_ptr<GraphSequence> MakeRandom(const std::string& argument,
                                          std::size_t nodes,
                                          RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRandomStatic(const std::string& argument,
                                                std::size_t nodes,
                                                RandomSeed seed);
std::shared_ptr<GraphSequence> MakeRandomPeer(const std::string& argument,
                                              std::size_t nodes,
                                              RandomSeed seed);
std::shared_ptr<GraphSequence> MakePairwise(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);
std::shared_ptr<GraphSequence> MakeSmallWorld(const std::string& argument,
                                              std::size_t nodes,
                                              RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_RANDOM_GRAPHS_H
