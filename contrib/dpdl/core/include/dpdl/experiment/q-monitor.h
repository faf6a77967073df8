// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_Q_MONITOR_H
#define DPDL_EXPERIMENT_Q_MONITOR_H

#include "dpdl/experiment/validity-monitor.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/trace/trace-store.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Measures q window by window: as the topology was designed, and as it really happened.
 *
 * Both go through the same computation, so that a window without losses has the same two numbers.
 */
class QMonitor
{
  public:
    /**
     * @param graph the designed sequence; outlives the monitor
     * @param window rounds of a window; 0: max(period, B), or the binary logarithm of the number
     *        of nodes, rounded up, if the sequence never repeats
     * @param store receives a row for each window
     * @param monitor is notified of windows that do not connect all nodes
     */
    QMonitor(const GraphSequence& graph, Round window, TraceStore& store, ValidityMonitor& monitor);

    /// All nodes have closed @p round; @p shares: by node, what it mixed, itself included.
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& shares);

    /// First round whose designed graph will be asked for again.
    Round FirstRound() const
    {
        return m_nextRound - m_inWindow;
    }

    /// Closes a window that the run ended in, and writes the long-run rate to the store.
    void Finish();

  private:
    void CloseWindow();
    void FillBound(QByWindow& row) const;

    const GraphSequence& m_graph;  ///< designed sequence
    TraceStore& m_store;           ///< receives the rows
    ValidityMonitor& m_monitor;    ///< is notified of lost connectivity
    TopologyBound m_bound;         ///< the papers' bound
    Round m_window;                ///< rounds of a window
    Round m_inWindow{0};           ///< rounds since the window began
    Round m_nextRound{0};          ///< the round that will be added next
    ContractionTracker m_designed; ///< nothing is ever lost
    ContractionTracker m_realised; ///< what was mixed
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_Q_MONITOR_H
