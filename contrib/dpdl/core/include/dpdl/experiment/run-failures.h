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
 * @brief Reads the failure events of the options `failures` and `fail` and of
 *        NetworkSettings::absences, in this order.
 * @param settings options of the run
 * @throws UsageError naming the option or the file and line of an event that is not accepted
 */
std::vector<FailureEvent> ReadFailures(const NetworkSettings& settings);

/// Most severe effect of failure events on the delivery of messages; NONE without events.
Outages OutagesOf(const std::vector<FailureEvent>& events);

/**
 * @brief Links for which failure events may draw separate random start and end times: all links of
 *        the topology.
 * @param events failure events; if none draws separate times for each link, the result is empty
 * @param graph topology; if its links are not known in advance, the result has all ordered pairs of
 *        nodes
 */
std::vector<LinkId> LinksThatDraw(const std::vector<FailureEvent>& events,
                                  const GraphSequence& graph);

/// Largest accepted number of expected starts and ends of one failure event in a run. That many
/// take about a minute of wall-clock time and 1 GB of rows.
inline constexpr double MOST_CHANGES = 1e7;

/**
 * @brief Rejects events that start and end too often.
 * @param events failure events of the run
 * @param graph topology
 * @param seconds smallest duration of the run, in simulated seconds; values below 1 count as 1
 * @throws UsageError naming an event with more than MOST_CHANGES expected changes
 */
void RefuseStorms(const std::vector<FailureEvent>& events,
                  const GraphSequence& graph,
                  double seconds);

/// Warnings about events on links that the run does not use, one line each.
std::vector<std::string> WarnOfFailures(const std::vector<FailureEvent>& events,
                                        const GraphSequence& graph);

/// Warnings about events given by the user that begin after the last round, one line each.
/// @param end simulated seconds at which the last round ended
std::vector<std::string> WarnOfLateFailures(const std::vector<FailureEvent>& events, double end);

/**
 * @brief Writes the rows of a failure's start or end to the trace's view `link_event`.
 *
 * There is one row for each link or node of the event, or one row with NULL if the event affects
 * all links or all nodes.
 * @param change start or end of an event
 * @param store receives the rows
 */
void WriteFailure(const FailureChange& change, TraceStore& store);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_FAILURES_H
