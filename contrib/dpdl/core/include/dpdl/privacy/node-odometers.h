// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NODE_ODOMETERS_H
#define DPDL_PRIVACY_NODE_ODOMETERS_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/rdp-odometer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief What each node of a run has spent so far.
 *
 * Nodes that have released the same things share one odometer, and part when they differ: in a run
 * where all nodes follow one schedule, a round costs one update however many nodes there are.
 */
class NodeOdometers
{
  public:
    /**
     * @param nodes number of nodes
     * @param adjacency which datasets are neighbours
     */
    explicit NodeOdometers(std::size_t nodes, Adjacency adjacency = Adjacency::ADD_REMOVE);

    /// Adds one release to those of its node.
    void Add(const Release& release);

    /**
     * @brief epsilon of all releases of a node so far.
     * @param node the node
     * @param delta in (0, 1)
     * @return as RdpOdometer::Epsilon
     */
    double Epsilon(NodeId node, double delta) const;

    /// Why no accountant whatsoever has an answer for the node, one sentence; "" if one may have.
    const std::string& Obstacle(NodeId node) const;

    /**
     * @brief Names the nodes that share an odometer.
     * @return equal for two nodes only if they have released the same things
     */
    const void* Group(NodeId node) const
    {
        return m_nodes[node].get();
    }

  private:
    struct State;

    std::vector<std::shared_ptr<State>> m_nodes; ///< by node
};

} // namespace dpdl

#endif // DPDL_PRIVACY_NODE_ODOMETERS_H
