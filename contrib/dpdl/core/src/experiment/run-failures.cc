// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-failures.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/network/failure-event.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace dpdl
{

namespace
{

/// The nodes of a set; one empty one if it is all of them.
std::vector<std::optional<NodeId>>
EndsOf(const NodeSet& set)
{
    if (set.IsAll())
    {
        return {std::nullopt};
    }
    return {set.Members().begin(), set.Members().end()};
}

/// What one sentence does.
Outages
OutagesOf(const FailureEvent& sentence)
{
    const bool ends = sentence.timing.pattern != FailureTiming::Pattern::ONCE ||
                      std::isfinite(sentence.timing.end);
    switch (sentence.kind)
    {
    case FailureKind::LINK_DELAY:
    case FailureKind::LINK_RATE:
    case FailureKind::NODE_SLOW:
        return Outages::NONE;
    case FailureKind::NODE_PAUSE:
        return ends ? Outages::NONE : Outages::LASTING;
    case FailureKind::LINK_LOSS:
    case FailureKind::JAM:
        return ends || sentence.value < 1.0 ? Outages::PASSING : Outages::LASTING;
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

/// What the column `value` holds.
std::optional<double>
ValueOf(const FailureEvent& sentence)
{
    switch (sentence.kind)
    {
    case FailureKind::LINK_LOSS:
    case FailureKind::LINK_DELAY:
    case FailureKind::LINK_RATE:
    case FailureKind::NODE_SLOW:
    case FailureKind::JAM:
        return sentence.value;
    case FailureKind::LINK_BURST:
        return sentence.burst.LongRunLoss();
    case FailureKind::NODE_CRASH:
        return sentence.keepsState ? 1.0 : 0.0;
    default:
        return std::nullopt;
    }
}

/// Writes a row for every link of a sentence.
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

/// The links that a graph may use; all pairs if it does not know.
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
ReadFailures(const PlainOptions& settings)
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
    return script.Sentences();
}

Outages
OutagesOf(const std::vector<FailureEvent>& sentences)
{
    Outages worst = Outages::NONE;
    for (const FailureEvent& sentence : sentences)
    {
        worst = std::max(worst, OutagesOf(sentence));
    }
    return worst;
}

std::vector<LinkId>
LinksThatDraw(const std::vector<FailureEvent>& sentences, const GraphSequence& graph)
{
    const bool draw =
        std::any_of(sentences.begin(), sentences.end(), [](const FailureEvent& sentence) {
            return !sentence.links.sources.IsEmpty() && !sentence.timing.together;
        });
    return draw ? LinksOf(graph) : std::vector<LinkId>();
}

void
RefuseStorms(const std::vector<FailureEvent>& sentences, const GraphSequence& graph, double seconds)
{
    const auto draws = static_cast<double>(LinksThatDraw(sentences, graph).size());
    for (const FailureEvent& sentence : sentences)
    {
        const FailureTiming& timing = sentence.timing;
        if (timing.pattern == FailureTiming::Pattern::ONCE)
        {
            continue;
        }
        double members = 1.0;
        if (!timing.together)
        {
            members = sentence.links.sources.IsEmpty() ? static_cast<double>(graph.Nodes())
                                                       : std::max(1.0, draws);
        }
        const double span = std::min(timing.end - timing.begin, std::max(1.0, seconds));
        const double changes = members * 2.0 * span / (timing.up + timing.down);
        if (changes > MOST_CHANGES)
        {
            throw UsageError(sentence.place,
                             sentence.text,
                             "longer times, fewer links or nodes, or a shorter while: it would "
                             "begin and end about " +
                                 ShowRounded(changes, 2) + " times, and at most " +
                                 ShowNumber(MOST_CHANGES) + " are simulated");
        }
    }
}

std::vector<std::string>
WarnOfFailures(const std::vector<FailureEvent>& sentences, const GraphSequence& graph)
{
    const bool known = !sentences.empty() && graph.PossibleEdges().has_value();
    return known ? WarnOfUnusedLinks(sentences, LinksOf(graph)) : std::vector<std::string>();
}

std::vector<std::string>
WarnOfLateFailures(const std::vector<FailureEvent>& sentences, double end)
{
    std::vector<std::string> warnings;
    for (const FailureEvent& sentence : sentences)
    {
        if (sentence.timing.begin > end)
        {
            warnings.push_back(sentence.place + ": '" + sentence.text +
                               "' had no effect: the run ended at " + ShowRounded(end, 3) +
                               "s, before it begins");
        }
    }
    return warnings;
}

void
WriteFailure(const FailureChange& change, TraceStore& store)
{
    const FailureEvent& sentence = *change.sentence;
    LinkEvent row;
    row.time = change.time;
    row.event = FailureEventName(sentence.kind, change.begins);
    row.value = ValueOf(sentence);
    row.sentence = sentence.text;
    if (change.link.has_value() || change.node.has_value())
    {
        row.source = change.link.has_value() ? std::optional(change.link->source) : std::nullopt;
        row.target = change.link.has_value() ? std::optional(change.link->target) : std::nullopt;
        row.node = change.node;
        const bool circle =
            sentence.kind == FailureKind::REGION || sentence.kind == FailureKind::JAM;
        row.event =
            circle ? FailureEventName(sentence.kind, true) + (change.begins ? "-enter" : "-leave")
                   : row.event;
        store.Add(row);
        return;
    }
    if (!sentence.links.sources.IsEmpty())
    {
        WriteLinks(sentence.links, row, store);
        return;
    }
    for (const std::optional<NodeId> node : sentence.nodes.IsEmpty()
                                                ? std::vector<std::optional<NodeId>>{std::nullopt}
                                                : EndsOf(sentence.nodes))
    {
        row.node = node;
        store.Add(row);
    }
}

} // namespace dpdl
