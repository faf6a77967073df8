// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_SYNCHRONISED_GRAPHS_H
#define DPDL_TOPOLOGY_SYNCHRONISED_GRAPHS_H

#include "dpdl/topology/wrapped-graphs.h"

#include <memory>

namespace dpdl
{

/**
 * @brief A sequence of graphs that every so many rounds gives way to the complete graph.
 *
 * With period P, round t is complete where (t + 1) mod P = 0, and as in the other sequence
 * otherwise. A complete round without loss leaves the same mean at every node: what DPPS calls a
 * synchronisation (Zhou, Xue and Chen, arXiv:2602.11544).
 */
class SynchronisedGraphs : public WrappedGraphs
{
  public:
    /**
     * @param graphs of all other rounds
     * @param every P, at least 1
     */
    SynchronisedGraphs(std::shared_ptr<GraphSequence> graphs, Round every);

    /// The least common multiple of both periods; 0 if the other sequence never repeats.
    Round Period() const override;
    const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const override;
    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override;
    double Weight(NodeId source, NodeId target, Round round) const override;
    bool KeepsShare(NodeId node, Round round) const override;

    /// All of the complete graph.
    std::optional<std::vector<Edge>> PossibleEdges() const override;

  private:
    bool IsComplete(Round round) const
    {
        return (round + 1) % m_every == 0;
    }

    std::shared_ptr<const GraphSequence> m_complete; ///< the complete graph
    Round m_every;                                   ///< P
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_SYNCHRONISED_GRAPHS_H
