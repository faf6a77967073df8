// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/validity-monitor.h"

#include <algorithm>
#include <tuple>

// Violations are evaluated while the run takes place, so the claimed epsilon after a round is known
// when the round ends.

namespace dpdl
{

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
