// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/energy-log.h"

#include <algorithm>

namespace dpdl
{

EnergyLog::EnergyLog(std::size_t nodes, TraceStore& store)
    : m_nodes(nodes),
      m_store(store)
{
}

void
EnergyLog::NoteBattery(NodeId node, bool isEmpty, double time)
{
    if (isEmpty)
    {
        m_empty.insert(node);
    }
    else
    {
        m_empty.erase(node);
    }
    m_store.SetSummary("batteries_empty", m_empty.size());
    if (!isEmpty || !m_failed.insert(node).second)
    {
        return;
    }
    if (m_failed.size() == 1)
    {
        m_store.SetSummary("lifetime_first", time);
    }
    if (m_failed.size() == (m_batteries + 1) / 2)
    {
        m_store.SetSummary("lifetime_half", time);
    }
}

void
EnergyLog::Write(Round round)
{
    bool isMeasured = false;
    double total = 0.0;
    double worst = 0.0;
    for (NodeId node = 0; m_meter && node < m_nodes; ++node)
    {
        double own = 0.0;
        for (const EnergyUse& use : m_meter(node))
        {
            m_store.Add(EnergyByNode{round, node, use.state, use.seconds, use.joule});
            own += use.joule;
            isMeasured = true;
        }
        total += own;
        worst = std::max(worst, own);
    }
    if (isMeasured)
    {
        m_store.SetSummary("energy_total", total);
        m_store.SetSummary("energy_worst", worst);
    }
}

PositionLog::PositionLog(std::size_t nodes, TraceStore* store)
    : m_store(store),
      m_rows(nodes)
{
}

void
PositionLog::Begin(NodeId node, Round round)
{
    if (m_store == nullptr || !m_locator)
    {
        return;
    }
    const std::optional<Position> place = m_locator(node);
    std::optional<PositionByRound>& last = m_rows[node];
    if (!place || (last && (last->round == round || (last->x == place->x && last->y == place->y))))
    {
        return;
    }
    last = PositionByRound{round, node, place->x, place->y};
    m_store->Add(*last);
}

} // namespace dpdl
