// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/q-monitor.h"

#include "dpdl/topology/designed-contraction.h"

#include <algorithm>

namespace dpdl
{

QMonitor::QMonitor(const GraphSequence& graph,
                   Round window,
                   TraceStore& store,
                   ValidityMonitor& monitor)
    : m_graph(graph),
      m_store(store),
      m_monitor(monitor),
      m_bound(ComputeTopologyBound(graph)),
      m_window(window > 0 ? window : std::max<Round>({1, graph.Period(), m_bound.windowB})),
      m_designed(graph.Nodes()),
      m_realised(graph.Nodes())
{
}

void
QMonitor::AddRound(Round round, const std::vector<std::vector<MixedShare>>& shares)
{
    m_realised.AddRound(round, shares);
    m_designed.AddRound(round, DesignedShares(m_graph, round, m_designed.Weights()));
    if (++m_inWindow == m_window)
    {
        CloseWindow();
    }
}

void
QMonitor::CloseWindow()
{
    const WindowResult designed = m_designed.CloseWindow();
    const WindowResult realised = m_realised.CloseWindow();
    QWindowRow row;
    row.firstRound = realised.firstRound;
    row.lastRound = realised.lastRound;
    row.qBound = m_bound.q;
    row.qDesigned = designed.q;
    row.qRealised = realised.q;
    row.stronglyConnected = realised.stronglyConnected;
    row.effectiveNodes = realised.effectiveNodes;
    m_store.Add(row);
    if (!realised.stronglyConnected && designed.stronglyConnected)
    {
        m_monitor.Report(Assumption::B_STRONG_CONNECTIVITY,
                         realised.lastRound,
                         std::nullopt,
                         "the links that delivered in this window of q do not connect all nodes, "
                         "though the designed ones do");
    }
    m_inWindow = 0;
}

void
QMonitor::Finish()
{
    if (m_inWindow > 0)
    {
        CloseWindow();
    }
}

} // namespace dpdl
