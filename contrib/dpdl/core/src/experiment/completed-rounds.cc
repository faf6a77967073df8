// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/completed-rounds.h"

#include <algorithm>

namespace dpdl
{

CompletedRounds::CompletedRounds(std::size_t nodes)
    : m_nodes(nodes)
{
    m_count[0] = nodes;
}

void
CompletedRounds::Restrict(const RankBlock& part)
{
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        SetDown(node, !part.Owns(node, m_nodes.size()));
    }
}

void
CompletedRounds::Leave(Round round)
{
    const auto entry = m_count.find(round);
    if (--entry->second == 0)
    {
        m_count.erase(entry);
    }
}

void
CompletedRounds::Update()
{
    if (!m_count.empty())
    {
        m_done = std::max(m_done, m_count.begin()->first);
    }
}

void
CompletedRounds::Advance(NodeId node)
{
    Place& place = m_nodes[node];
    if (!place.down)
    {
        Leave(place.done);
        ++m_count[place.done + 1];
    }
    ++place.done;
    Update();
}

void
CompletedRounds::SetDown(NodeId node, bool down)
{
    Place& place = m_nodes[node];
    if (place.down == down)
    {
        return;
    }
    place.down = down;
    if (down)
    {
        Leave(place.done);
    }
    else
    {
        ++m_count[place.done];
    }
    Update();
}

} // namespace dpdl
