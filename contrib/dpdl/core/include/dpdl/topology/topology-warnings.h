// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_TOPOLOGY_WARNINGS_H
#define DPDL_TOPOLOGY_TOPOLOGY_WARNINGS_H

#include "dpdl/topology/graph-sequence.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief What is odd about a topology though it is accepted, one sentence each: nodes to which
 *        nobody ever sends, nodes that never send, and edges that cannot join all nodes.
 * @param sequence the topology; of one whose edges are not known before the run nothing is said
 */
std::vector<std::string> TopologyWarnings(const GraphSequence& sequence);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_TOPOLOGY_WARNINGS_H
