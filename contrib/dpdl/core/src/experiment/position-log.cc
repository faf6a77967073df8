// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/position-log.h"

namespace dpdl
{

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
