// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-failures.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <optional>

// Reads the failure events of a run, warns about events without effect, refuses events that are too
// frequent, and writes the rows of events.

namespace dpdl
{

namespace
{

/// Members of a set of nodes. For the set of all nodes, the result has one element, which is empty.
std::vector<std::optional<NodeId>>
EndsOf(const NodeSet& set)
{
    if (set.IsAll())
    {
        return {std::nullopt};
    }
    return {set.Members().begin(), set.Members().end()};
}

/// Most severe effect of one event on the delivery of messages.
Outages
OutagesOf(const FailureEvent& event)
{
    const bool ends =
        event.timing.pattern != FailureTiming::Pattern::ONCE || std::isfinite(event.timing.end);
    switch (event.kind)
    {
    case FailureKind::LINK_DELAY:
    case FailureKind::LINK_RATE:
    case FailureKind::NODE_SLOW:
    case FailureKind::NODE_LIE:
    case FailureKind::NODE_LEAK:
        return Outages::NONE;
    case FailureKind::NODE_PAUSE:
        return ends ? Outages::NONE : Outages::LASTING;
    case FailureKind::LINK_LOSS:
    case FailureKind::JAM:
        return ends || event.value < 1.0 ? Outages::PASSING : Outages::LASTING;
    case FailureKind::LINK_BURST:
        return Outages::PASSING;
    case FailureKind::LINK_DOWN:
    case FailureKind::NODE_CRASH:
    case FailureKind::PARTITION:
    case FailureKind::REGION:
        break;
    }
    return ends ? Outages::PASSING : Outages::LASTING;
}

/// Value of an event for column `value` of view `link_event`; empty if the event has no value.
std::optional<double>
ValueOf(const FailureEvent& event)
{
    switch (event.kind)
    {
    case FailureKind::LINK_LOSS:
    case FailureKind::LINK_DELAY:
    case FailureKind::LINK_RATE:
    case FailureKind::NODE_SLOW:
    case FailureKind::JAM:
        return event.value;
    case FailureKind::NODE_LIE:
        return event.lie.kind == LieKind::NOISE ? std::optional(event.lie.scale) : std::nullopt;
    case FailureKind::LINK_BURST:
        return event.burst.LongRunLoss();
    case FailureKind::NODE_CRASH:
        return event.keepsState ? 1.0 : 0.0;
    default:
        return std::nullopt;
    }
}

/// Writes one row for every link of an event. A set that contains all nodes gives one row with an
/// empty source or target.
void
WriteLinks(const LinkSet& links, LinkEvent& row, TraceStore& store)
{
    for (const std::optional<NodeId> source : EndsOf(links.sources))
    {
        for (const std::optional<NodeId> target : EndsOf(links.targets))
        {
            if (source.has_value() && source == target)
            {
                continue;
            }
            row.source = source;
            row.target = target;
            store.Add(row);
            if (links.bothWays)
            {
                std::swap(row.source, row.target);
                store.Add(row);
            }
        }
    }
}

/// Links that a graph may use in any round. All pairs of nodes if the links are not known in
/// advance.
std::vector<LinkId>
LinksOf(const GraphSequence& graph)
{
    std::vector<LinkId> links;
    const auto nodes = static_cast<NodeId>(graph.Nodes());
    const std::optional<std::vector<Edge>> edges = graph.PossibleEdges();
    if (!edges.has_value())
    {
        for (NodeId source = 0; source < nodes; ++source)
        {
            for (NodeId target = 0; target < nodes; ++target)
            {
                links.insert(links.end(), source == target ? 0 : 1, LinkId{source, target});
            }
        }
        return links;
    }
    std::vector<std::vector<NodeId>> targets(nodes);
    for (const Edge& edge : *edges)
    {
        targets[edge.source].push_back(edge.target);
    }
    for (NodeId source = 0; source < nodes; ++source)
    {
        const NodeSet distinct(std::move(targets[source]));
        for (const NodeId target : distinct.Members())
        {
            links.push_back({source, target});
        }
    }
    return links;
}

} // namespace

std::vector<FailureEvent>
ReadFailures(const NetworkSettings& settings)
{
    FailureScript script(settings.nodes);
    for (const std::string& path : settings.failures)
    {
        script.AddFile(path);
    }
    for (std::size_t i = 0; i < settings.fail.size(); ++i)
    {
        script.AddLine(settings.fail[i], "--fail", i + 1);
    }
    const std::size_t asked = script.Events().size();
    for (std::size_t i = 0; i < settings.absences.size(); ++i)
    {
        script.AddLine(settings.absences[i], "absences of the movement trace", i + 1);
    }
    std::vector<FailureEvent> events = script.Events();
    for (std::size_t i = asked; i < events.size(); ++i)
    {
        events[i].isAsked = false;
    }
    return events;
}

Outages
OutagesOf(const std::vector<FailureEvent>& events)
{
    Outages worst = Outages::NONE;
    for (const FailureEvent& event : events)
    {
        worst = std::max(worst, OutagesOf(event));
    }
    return worst;
}

std::vector<LinkId>
LinksThatDraw(const std::vector<FailureEvent>& events, const GraphSequence& graph)
{
    const bool draw = std::any_of(events.begin(), events.end(), [](const FailureEvent& event) {
        return !event.links.sources.IsEmpty() && !event.timing.together;
    });
    return draw ? LinksOf(graph) : std::vector<LinkId>();
}

void
RefuseStorms(const std::vector<FailureEvent>& events, const GraphSequence& graph, double seconds)
{
    const auto draws = static_cast<double>(LinksThatDraw(events, graph).size());
    for (const FailureEvent& event : events)
    {
        const FailureTiming& timing = event.timing;
        if (timing.pattern == FailureTiming::Pattern::ONCE)
        {
            continue;
        }
        double members = 1.0;
        if (!timing.together)
        {
            members = event.links.sources.IsEmpty() ? static_cast<double>(graph.Nodes())
                                                    : std::max(1.0, draws);
        }
        const double span = std::min(timing.end - timing.begin, std::max(1.0, seconds));
        const double changes = members * 2.0 * span / (timing.up + timing.down);
        DPDL_REFUSE_IF(changes > MOST_CHANGES,
                       event.place,
                       event.text,
                       "longer times, fewer links or nodes, or a shorter while: it would "
                       "begin and end about " +
                           ShowRounded(changes, 2) + " times, and at most " +
                           ShowNumber(MOST_CHANGES) + " are simulated");
    }
}

std::vector<std::string>
WarnOfFailures(const std::vector<FailureEvent>& events, const GraphSequence& graph)
{
    const bool known = !events.empty() && graph.PossibleEdges().has_value();
    return known ? WarnOfUnusedLinks(events, LinksOf(graph)) : std::vector<std::string>();
}

std::vector<std::string>
WarnOfLateFailures(const std::vector<FailureEvent>& events, double end)
{
    std::vector<std::string> warnings;
    for (const FailureEvent& event : events)
    {
        // A leak of secrets after the end of the run also reveals the secrets of the run's rounds.
        // So such a leak gets no warning.
        if (event.isAsked && event.timing.begin > end && event.kind != FailureKind::NODE_LEAK)
        {
            warnings.push_back(event.place + ": '" + event.text +
                               "' had no effect: the run ended at " + ShowRounded(end, 3) +
                               "s, before it begins");
        }
    }
    return warnings;
}

void
WriteFailure(const FailureChange& change, TraceStore& store)
{
    const FailureEvent& event = *change.event;
    LinkEvent row;
    row.time = change.time;
    row.event = FailureEventName(event.kind, change.begins);
    row.value = ValueOf(event);
    row.sentence = event.text;
    if (change.link.has_value() || change.node.has_value())
    {
        row.source = change.link.has_value() ? std::optional(change.link->source) : std::nullopt;
        row.target = change.link.has_value() ? std::optional(change.link->target) : std::nullopt;
        row.node = change.node;
        if (event.IsOfCircle())
        {
            row.event = FailureEventName(event.kind, true) + (change.begins ? "-enter" : "-leave");
        }
        store.Add(row);
        return;
    }
    if (!event.links.sources.IsEmpty())
    {
        WriteLinks(event.links, row, store);
        return;
    }
    for (const std::optional<NodeId> node : event.nodes.IsEmpty()
                                                ? std::vector<std::optional<NodeId>>{std::nullopt}
                                                : EndsOf(event.nodes))
    {
        row.node = node;
        store.Add(row);
    }
}

} // namespace dpdl
