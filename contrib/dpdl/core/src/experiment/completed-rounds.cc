// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/completed-rounds.h"

#include <algorithm>
#include <tuple>

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

ValidityMonitor::ValidityMonitor(std::vector<Assumption> claimRestsOn,
                                 std::size_t nodes,
                                 TraceStore& store)
    : m_claimRestsOn(std::move(claimRestsOn)),
      m_void(nodes),
      m_store(store)
{
}

void
ValidityMonitor::Report(Assumption assumption,
                        Round round,
                        std::optional<NodeId> node,
                        const std::string& detail)
{
    const std::string name = Assumptions().NameOf(assumption);
    if (std::find(m_claimRestsOn.begin(), m_claimRestsOn.end(), assumption) != m_claimRestsOn.end())
    {
        const std::string reason = "the claim rests on '" + name + "', which failed in round " +
                                   std::to_string(round) + ": " + detail;
        for (NodeId i = 0; i < m_void.size(); ++i)
        {
            Cause& cause = m_void[i];
            const bool isEarlier =
                std::tie(round, assumption) < std::tie(cause.round, cause.assumption);
            if ((!node || *node == i) && (cause.reason.empty() || isEarlier))
            {
                cause = {round, assumption, reason};
            }
        }
    }
    Events& events = m_events[assumption];
    if (events.written.count({round, node}) > 0)
    {
        return;
    }
    if (events.written.size() == MOST_ROWS)
    {
        ++events.leftOut;
        events.last = std::max(events.last, round);
        return;
    }
    events.written.insert({round, node});
    m_store.Add(Violation{round, node, name, detail});
}

void
ValidityMonitor::Finish()
{
    for (const auto& [assumption, events] : m_events)
    {
        if (events.leftOut > 0)
        {
            const std::string detail = std::to_string(events.leftOut) + " more like the " +
                                       std::to_string(MOST_ROWS) +
                                       " above, up to this round, have no row";
            m_store.Add(
                Violation{events.last, std::nullopt, Assumptions().NameOf(assumption), detail});
        }
    }
}

} // namespace dpdl
