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
 * @brief Warnings about an accepted topology, one line each: nodes to which
 *        no node ever sends, nodes that never send, and edges that cannot join all nodes.
 * @param sequence the topology; of one whose edges are not known before the run nothing is said
 */
std::vector<std::string> TopologyWarnings(const GraphSequence& sequence);

/**
 * @brief True if rows and columns of the mixing matrix sum to 1 in every round.
 *
 * With the weights 1 / (out-degree + 1) this asks for more than equal in-degrees and out-degrees:
 * the nodes that a node hears have to send as often as it hears.
 * @param sequence the topology; false if its graphs are not known before the run
 */
bool IsDoublyStochastic(const GraphSequence& sequence);

/**
 * @brief Refuses topologies that are not doubly stochastic.
 * @param sequence the topology
 * @param topology its name, for the error
 * @param algorithm who asks, for the error
 * @throws UsageError if IsDoublyStochastic() is false
 */
void RequireDoublyStochastic(const GraphSequence& sequence,
                             const std::string& topology,
                             const std::string& algorithm);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_TOPOLOGY_WARNINGS_H
