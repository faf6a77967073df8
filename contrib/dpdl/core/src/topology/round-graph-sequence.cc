// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dpdl
{

namespace
{

bool
AreEqual(const std::vector<Edge>& a, const std::vector<Edge>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Edge& x, const Edge& y) {
        return x.source == y.source && x.target == y.target;
    });
}

} // namespace

RoundGraphSequence::RoundGraphSequence(std::size_t nodes, Source source)
    : m_nodes(nodes),
      m_source(source)
{
}

const NeighbourLists&
RoundGraphSequence::GraphOf(Round round) const
{
    const auto found = m_graphs.find(round);
    return found != m_graphs.end() ? *found->second : Make(round);
}

const NeighbourLists&
RoundGraphSequence::Make(Round round) const
{
    if (m_source == Source::MOMENT && round < m_firstKept)
    {
        throw Error("the graph of round " + std::to_string(round) + " is forgotten");
    }
    std::vector<Edge> edges = MakeEdges(round);
    if (!m_last || !AreEqual(edges, m_lastEdges))
    {
        m_last = std::make_shared<const NeighbourLists>(m_nodes, edges);
        m_lastEdges = std::move(edges);
    }
    // Whoever holds a reference holds one to the round last asked for: that one is never dropped.
    if (m_source == Source::ROUND && m_graphs.size() == KEPT_ROUNDS)
    {
        m_graphs.erase(m_graphs.begin()->first < round ? m_graphs.begin()
                                                       : std::prev(m_graphs.end()));
    }
    return *m_graphs.emplace(round, m_last).first->second;
}

void
RoundGraphSequence::Forget(Round round) const
{
    m_firstKept = std::max(m_firstKept, round);
    m_graphs.erase(m_graphs.begin(), m_graphs.lower_bound(round));
}

LiveGraphSequence::LiveGraphSequence(std::size_t nodes)
    : RoundGraphSequence(nodes, Source::MOMENT)
{
}

double
LiveGraphSequence::Now() const
{
    if (!World().now)
    {
        throw Error("a topology that follows the run needs the run's clock");
    }
    return World().now();
}

} // namespace dpdl
