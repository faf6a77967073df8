// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_FAILURES_H
#define DPDL_EXPERIMENT_RUN_FAILURES_H

#include "dpdl/experiment/run-options.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/failure-state.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/trace/trace-store.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief The events of options `failures` and `fail`, and of absences of nodes, in this order.
 * @param settings of the run
 * @throws UsageError for a mistake in one of them
 */
std::vector<FailureEvent> ReadFailures(const NetworkSettings& settings);

/// The worst effect of the events on messages.
Outages OutagesOf(const std::vector<FailureEvent>& events);

/**
 * @brief The links for which failure events may draw separate random times: all links of the
 *        topology.
 * @param events if none of them draws times per link, the result is empty
 * @param graph topology; if its links are not known in advance, the result has all pairs
 */
std::vector<LinkId> LinksThatDraw(const std::vector<FailureEvent>& events,
                                  const GraphSequence& graph);

/// Largest expected number of starts and ends of one failure event in a run. This many take about a
/// minute of wall time and a gigabyte of rows.
inline constexpr double MOST_CHANGES = 1e7;

/**
 * @brief Rejects events that start and end too often.
 * @param events of the run
 * @param graph topology
 * @param seconds least duration of the run; at least one second is checked
 * @throws UsageError naming an event with more than MOST_CHANGES expected changes
 */
void RefuseStorms(const std::vector<FailureEvent>& events,
                  const GraphSequence& graph,
                  double seconds);

/// One warning for each event about links that the run does not use.
std::vector<std::string> WarnOfFailures(const std::vector<FailureEvent>& events,
                                        const GraphSequence& graph);

/// One warning for each event given by the user that begins after the last round. @param end
/// simulated seconds at which the last round ended
std::vector<std::string> WarnOfLateFailures(const std::vector<FailureEvent>& events, double end);

/**
 * @brief Writes the rows of a change to the trace's view `link_event`.
 *
 * Writes one row for each link or node of the event, or one row with NULL if it affects all.
 * @param change start or end of an event
 * @param store receives the rows
 */
void WriteFailure(const FailureChange& change, TraceStore& store);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_FAILURES_H
