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
 * @brief Warnings about an accepted topology, one line each: nodes that never
 *        receive, nodes that never send, and edges that do not connect all nodes.
 * @param sequence the topology; if its edges are unknown before the run, the result is empty
 */
std::vector<std::string> TopologyWarnings(const GraphSequence& sequence);

/**
 * @brief True if rows and columns of the mixing matrix sum to 1 in every round.
 *
 * With weights 1 / (out-degree + 1), it is not sufficient that each node has equal in-degree and
 * out-degree.
 * @param sequence the topology; the result is false if it is aperiodic
 */
bool IsDoublyStochastic(const GraphSequence& sequence);

/**
 * @brief Refuses a topology whose mixing matrices are not doubly stochastic.
 * @param sequence graph sequence of the topology
 * @param topology name of the topology, for the error
 * @param algorithm name of the algorithm, for the error
 * @throws UsageError if IsDoublyStochastic() is false
 */
void RequireDoublyStochastic(const GraphSequence& sequence,
                             const std::string& topology,
                             const std::string& algorithm);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_TOPOLOGY_WARNINGS_H
