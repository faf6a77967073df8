// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_LAZY_GRAPHS_H
#define DPDL_TOPOLOGY_LAZY_GRAPHS_H

#include "dpdl/topology/wrapped-graphs.h"

#include <memory>

namespace dpdl
{

/**
 * @brief The same graphs, of which nodes mix a part: (1 - rho) I + rho P in place of P.
 *
 * Lazy mixing keeps compressed gossip stable (Koloskova, Stich and Jaggi, ICML 2019).
 */
class LazyGraphs : public WrappedGraphs
{
  public:
    /**
     * @param graphs with the matrices P
     * @param rate rho in (0, 1]
     */
    LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate);

    double Weight(NodeId source, NodeId target, Round round) const override;
    bool KeepsShare(NodeId node, Round round) const override;

  private:
    double m_rate; ///< rho
};

} // namespace dpdl

#endif // DPDL_TOPOLOGY_LAZY_GRAPHS_H
