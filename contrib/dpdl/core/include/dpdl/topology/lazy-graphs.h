// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_LAZY_GRAPHS_H
#define DPDL_TOPOLOGY_LAZY_GRAPHS_H

#include "dpdl/topology/graph-sequence.h"

#include <memory>

namespace dpdl
{

/**
 * @brief The same graphs, of which nodes mix a part: (1 - rho) I + rho P in place of P.
 *
 * Lazy mixing keeps compressed gossip stable (Koloskova, Stich and Jaggi, ICML 2019).
 */
class LazyGraphs : public GraphSequence
{
  public:
    /**
     * @param graphs with the matrices P
     * @param rate rho in (0, 1]
     */
    LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate);

    std::size_t Nodes() const override;
    Round Period() const override;
    const std::vector<NodeId>& OutNeighbours(NodeId node, Round round) const override;
    const std::vector<NodeId>& InNeighbours(NodeId node, Round round) const override;
    double Weight(NodeId source, NodeId target, Round round) const override;
    bool KeepsShare(NodeId node, Round round) const override;
    void Attach(const RunWorld& world) override;
    bool FollowsRun() const override;
    void BeginRound(Round round) const override;
    void Forget(Round round) const override;
    std::optional<Position> PositionOf(NodeId node) const override;
    std::optional<std::vector<Edge>> PossibleEdges() const override;

  private:
    std::shared_ptr<GraphSequence> m_graphs; ///< with the matrices P
    double m_rate;                           ///< rho
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_LAZY_GRAPHS_H
