// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/periodic-graph-sequence.h"

#include "dpdl/base/errors.h"

namespace dpdl
{

PeriodicGraphSequence::PeriodicGraphSequence(std::size_t nodes,
                                             const std::vector<std::vector<Edge>>& phases)
    : m_nodes(nodes)
{
    if (nodes < 2 || phases.empty())
    {
        throw Error("a graph sequence needs at least two nodes and one phase");
    }
    constexpr std::size_t NONE = static_cast<std::size_t>(-1);
    std::size_t emptyGraph = NONE;
    for (const std::vector<Edge>& edges : phases)
    {
        if (edges.empty() && emptyGraph != NONE)
        {
            m_graphOfPhase.push_back(emptyGraph);
            continue;
        }
        if (edges.empty())
        {
            emptyGraph = m_graphs.size();
        }
        m_graphOfPhase.push_back(m_graphs.size());
        m_graphs.push_back(NeighbourLists(nodes, edges));
    }
}

} // namespace dpdl
