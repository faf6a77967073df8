// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/derive/q-monitor.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Measures q, the factor by which differences between nodes contract per round, while the run takes
// place. A measurement after the run is not possible: the mixed shares of all rounds would not fit
// into memory, and only a trace of level `full` stores the messages.

namespace dpdl
{

namespace
{

/// Shortest informative window, in rounds. For a periodic topology it is the larger of the period
/// and the window B of the bound. Otherwise it is ceil(log2(nodes)): with one receiver per node and
/// round, a node needs at least this number of rounds to reach all other nodes.
Round
DefaultWindow(const GraphSequence& graph, const TopologyBound& bound)
{
    if (graph.Period() > 0)
    {
        return std::max<Round>(graph.Period(), bound.windowB);
    }
    return static_cast<Round>(std::ceil(std::log2(static_cast<double>(graph.Nodes()))));
}

} // namespace

QMonitor::QMonitor(const GraphSequence& graph,
                   Round window,
                   TraceStore& store,
                   ValidityMonitor& monitor)
    : m_graph(graph),
      m_store(store),
      m_monitor(monitor),
      m_bound(ComputeTopologyBound(graph)),
      m_window(window > 0 ? window : DefaultWindow(graph, m_bound)),
      m_designed(graph.Nodes()),
      m_realised(graph.Nodes())
{
}

void
QMonitor::AddRound(Round round, const std::vector<std::vector<MixedShare>>& shares)
{
    m_realised.AddRound(round, shares);
    m_designed.AddRound(round, DesignedShares(m_graph, round, m_designed.Weights()));
    m_nextRound = round + 1;
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
    QByWindow row;
    row.firstRound = realised.firstRound;
    row.lastRound = realised.lastRound;
    FillBound(row);
    row.qDesigned = designed.q;
    row.qRealised = realised.q;
    row.qError = std::max(designed.qError, realised.qError);
    row.stronglyConnected = realised.stronglyConnected;
    row.effectiveNodes = realised.effectiveNodes;
    row.worstPair = realised.worstPair;
    row.largestInfluence = realised.largestInfluence;
    row.wMin = realised.smallestWeight;
    row.wMax = realised.largestWeight;
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
QMonitor::FillBound(QByWindow& row) const
{
    const bool repeats = m_graph.Period() > 0;
    if (!repeats && m_inWindow < m_window)
    {
        row.qBound = std::numeric_limits<double>::quiet_NaN();
        row.oneMinusQBound = row.qBound;
        return;
    }
    const TopologyBound bound =
        repeats ? m_bound : ComputeWindowBound(m_graph, row.firstRound, m_inWindow);
    row.qBound = bound.q;
    row.oneMinusQBound = bound.oneMinusQ;
    if (bound.stronglyConnected)
    {
        row.windowB = bound.windowB;
    }
    if (bound.diameter > 0)
    {
        row.diameter = bound.diameter;
    }
}

void
QMonitor::Finish()
{
    if (m_inWindow > 0)
    {
        CloseWindow();
    }
    const double longRun = m_realised.LongRunQ();
    if (!std::isnan(longRun))
    {
        m_store.SetSummary("q_long_run", longRun);
    }
}

} // namespace dpdl
