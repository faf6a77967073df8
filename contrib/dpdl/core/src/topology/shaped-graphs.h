// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_SHAPED_GRAPHS_H
#define DPDL_TOPOLOGY_SHAPED_GRAPHS_H

#include "dpdl/base/random.h"
#include "dpdl/topology/graph-sequence.h"

#include <memory>
#include <string>

/**
 * @file
 * @brief Factories of static graphs that are not balanced: push-sum's weights leave 1 on them.
 */

namespace dpdl
{

std::shared_ptr<GraphSequence> MakeStar(const std::string& argument,
                                        std::size_t nodes,
                                        RandomSeed seed);
std::shared_ptr<GraphSequence> MakeLollipop(const std::string& argument,
                                            std::size_t nodes,
                                            RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_SHAPED_GRAPHS_H
