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
 * @brief Measures q window by window: for the designed topology, and for the shares that were
 *        mixed.
 *
 * Both use the same computation, so their results are equal in a window without losses.
 */
class QMonitor
{
  public:
    /**
     * @param graph the designed sequence; outlives the monitor
     * @param window rounds of a window; 0: max(period, B), or the binary logarithm of the number of
     *        nodes, rounded up, if the sequence has no period
     * @param store receives a row for each window
     * @param monitor receives windows that do not connect all nodes
     */
    QMonitor(const GraphSequence& graph, Round window, TraceStore& store, ValidityMonitor& monitor);

    /// Adds a round that all nodes have closed. @param shares by node: the shares that it mixed,
    /// the one that it kept included
    void AddRound(Round round, const std::vector<std::vector<MixedShare>>& shares);

    /// Earliest round whose designed graph is still needed.
    Round FirstRound() const
    {
        return m_nextRound - m_inWindow;
    }

    /// Closes an incomplete last window, and writes the long-run rate to the store.
    void Finish();

  private:
    void CloseWindow();
    void FillBound(QByWindow& row) const;

    const GraphSequence& m_graph;  ///< topology, without losses
    TraceStore& m_store;           ///< receives the rows
    ValidityMonitor& m_monitor;    ///< receives windows that do not connect all nodes
    TopologyBound m_bound;         ///< bound on q of the papers' proofs
    Round m_window;                ///< number of rounds in a window
    Round m_inWindow{0};           ///< rounds of the current window so far
    Round m_nextRound{0};          ///< round that AddRound() expects next
    ContractionTracker m_designed; ///< contraction of this window, had no message been lost
    ContractionTracker m_realised; ///< contraction of this window by the shares that were mixed
};

} // namespace dpdl

#endif // DPDL_DERIVE_Q_MONITOR_H
