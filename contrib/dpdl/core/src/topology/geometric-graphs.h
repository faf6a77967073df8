// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_GEOMETRIC_GRAPHS_H
#define DPDL_TOPOLOGY_GEOMETRIC_GRAPHS_H

#include "dpdl/base/random.h"
#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <string>

/**
 * @file
 * @brief Factories of graphs that join the nodes within reach of each other, both ways.
 */

namespace dpdl
{

std::shared_ptr<GraphSequence> MakeRadius(const std::string& argument,
                                          std::size_t nodes,
                                          RandomSeed seed);
std::shared_ptr<GraphSequence> MakeMobility(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_GEOMETRIC_GRAPHS_H
