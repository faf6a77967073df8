// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/lazy-graphs.h"

#include <utility>

namespace dpdl
{

LazyGraphs::LazyGraphs(std::shared_ptr<GraphSequence> graphs, double rate)
    : WrappedGraphs(std::move(graphs)),
      m_rate(rate)
{
}

double
LazyGraphs::Weight(NodeId source, NodeId target, Round round) const
{
    const double weight = m_rate * WrappedGraphs::Weight(source, target, round);
    return source == target ? 1.0 - m_rate + weight : weight;
}

bool
LazyGraphs::KeepsShare(NodeId node, Round round) const
{
    return m_rate < 1.0 || WrappedGraphs::KeepsShare(node, round);
}

} // namespace dpdl
