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
 * @brief The events of options `failures` and `fail`, and absences of nodes, in this order.
 * @param settings of the run
 * @throws UsageError for a mistake in one of them
 */
std::vector<FailureEvent> ReadFailures(const PlainOptions& settings);

/// The worst that the events may do to messages.
Outages OutagesOf(const std::vector<FailureEvent>& events);

/**
 * @brief The links that may draw separate random times: those that a run may use.
 * @param events if none of them lets links draw, there are none
 * @param graph who sends to whom; if it does not know its links in advance, they are all pairs
 */
std::vector<LinkId> LinksThatDraw(const std::vector<FailureEvent>& events,
                                  const GraphSequence& graph);

/// Beginnings and ends that one event may have in a run: a minute's work, and a gigabyte of rows.
inline constexpr double MOST_CHANGES = 1e7;

/**
 * @brief Refuses events that come and go so often that a run would do little else.
 * @param events of the run
 * @param graph who sends to whom
 * @param seconds that the run takes at least; one second is looked at in any case
 * @throws UsageError naming an event with more than MOST_CHANGES expected changes
 */
void RefuseStorms(const std::vector<FailureEvent>& events,
                  const GraphSequence& graph,
                  double seconds);

/// One warning for each event about links that the run does not use.
std::vector<std::string> WarnOfFailures(const std::vector<FailureEvent>& events,
                                        const GraphSequence& graph);

/// One warning for each event asked for that begins after the last round. @param end of it, in s
std::vector<std::string> WarnOfLateFailures(const std::vector<FailureEvent>& events, double end);

/**
 * @brief Writes the rows of a change to the trace's view `link_event`.
 *
 * One for each link or node of the event; where it speaks of all, one with NULL in their place.
 * @param change what begins or ends
 * @param store receives the rows
 */
void WriteFailure(const FailureChange& change, TraceStore& store);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_FAILURES_H
