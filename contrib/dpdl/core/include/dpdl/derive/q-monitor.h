// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_Q_MONITOR_H
#define DPDL_DERIVE_Q_MONITOR_H

#include "dpdl/derive/validity-monitor.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/trace/trace-store.h"

#include <vector>

namespace dpdl
{

/**
 * @brief Measures the contraction factor q of each window of rounds twice: for the designed
 *        topology without message loss, and for the shares that were actually mixed.
 *
 * The two values are equal in a window without lost or late messages.
 */
class QMonitor
{
  public:
    /**
     * @param graph designed topology; must outlive the monitor
     * @param window number of rounds in a window. 0: max(period, B) with B of TopologyBound, or
     *        ceil(log2(nodes)) for an aperiodic topology
     * @param store receives a row QByWindow for each window; must outlive the monitor
     * @param monitor receives a violation if the delivered messages of a window do not connect all
     *        nodes strongly, although the designed edges do; must outlive the QMonitor
     */
    QMonitor(const GraphSequence& graph, Round window, TraceStore& store, ValidityMonitor& monitor);

    /// Adds the next round, after all nodes have mixed it. Rounds are added in ascending order,
    /// without gaps.
    /// @param shares by node: the shares that the node mixed, including the share that it kept
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& shares);

    /// First round of the current window. Graphs of earlier rounds are not read again.
    Round FirstRound() const
    {
        return m_nextRound - m_inWindow;
    }

    /// Closes an incomplete last window, and writes ContractionTracker::LongRunQ() of the mixed
    /// shares to the summary item `q_long_run`.
    void Finish();

  private:
    void CloseWindow();
    /// Sets the row's upper bound on q: that of the whole topology if it is periodic, otherwise
    /// that of the window's rounds. NaN for an incomplete window of an aperiodic topology.
    void FillBound(QByWindow& row) const;

    const GraphSequence& m_graph;  ///< designed topology
    TraceStore& m_store;           ///< receives the rows of q
    ValidityMonitor& m_monitor;    ///< receives violations of strong connectivity
    TopologyBound m_bound;         ///< upper bound on q, valid if the topology is periodic
    Round m_window;                ///< number of rounds in a window
    Round m_inWindow{0};           ///< number of rounds in the current window so far
    Round m_nextRound{0};          ///< round that AddRound() expects next
    ContractionTracker m_designed; ///< contraction of the designed topology, without loss
    ContractionTracker m_realised; ///< contraction of the shares that were mixed
};

} // namespace dpdl

#endif // DPDL_DERIVE_Q_MONITOR_H
