// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_PERIODIC_GRAPH_SEQUENCE_H
#define DPDL_TOPOLOGY_PERIODIC_GRAPH_SEQUENCE_H

#include "dpdl/topology/graph-sequence.h"

namespace dpdl
{

/**
 * @brief A periodic sequence of graphs.
 *
 * Round k uses phase k mod P. The constructor builds all lists of neighbours; a query costs a
 * division and two look-ups. Phases without edges share their memory.
 */
class PeriodicGraphSequence : public GraphSequence
{
  public:
    /**
     * @param nodes number of nodes n, at least 2
     * @param phases the edges of each phase, in any order; at least one phase
     * @throws Error if there is no phase, no node, an edge that leaves 0..n-1, an edge
     *         from a node to itself, or a duplicate edge in a phase
     */
    PeriodicGraphSequence(std::size_t nodes, const std::vector<std::vector<Edge>>& phases);

    std::size_t Nodes() const override
    {
        return m_nodes;
    }

    Round Period() const override
    {
        return static_cast<Round>(m_graphOfPhase.size());
    }

    const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const override
    {
        return GraphOf(round).out[node];
    }

    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override
    {
        return GraphOf(round).in[node];
    }

    double Weight(NodeId source, NodeId target, Round round) const override
    {
        const NeighbourLists& graph = GraphOf(round);
        return graph.weights.empty() ? GraphSequence::Weight(source, target, round)
                                     : graph.Weight(source, target);
    }

  private:
    const NeighbourLists& GraphOf(Round round) const
    {
        return m_graphs[m_graphOfPhase[round % m_graphOfPhase.size()]];
    }

    std::size_t m_nodes;                     ///< n
    std::vector<NeighbourLists> m_graphs;    ///< the different graphs
    std::vector<std::size_t> m_graphOfPhase; ///< index into m_graphs
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_PERIODIC_GRAPH_SEQUENCE_H
