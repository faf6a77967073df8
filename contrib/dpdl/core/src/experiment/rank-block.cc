// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/rank-block.h"

#include "dpdl/base/errors.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/experiment/run-rules.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace dpdl
{

namespace
{

void
Require(bool accepted, const std::string& what, const std::string& expected)
{
    DPDL_REFUSE_IF(!accepted,
                   what + " is not accepted in a run on several ranks; expected " + expected);
}

/// True if the failure never ends and causes an unlimited number of events: changes of links or
/// nodes, or checks of the nodes' positions.
bool
NeverEnds(const FailureEvent& event)
{
    const bool recurs = event.timing.pattern != FailureTiming::Pattern::ONCE || event.IsOfCircle();
    return recurs && !std::isfinite(event.timing.end);
}

/// Replaces each parameter of @p link by the faster one of @p link and @p other: higher data rate,
/// lower delay, lower overhead.
void
Hasten(LinkParameters& link, const LinkParameters& other)
{
    link.dataRate = std::max(link.dataRate, other.dataRate);
    link.delay = std::min(link.delay, other.delay);
    link.overhead = std::min(link.overhead, other.overhead);
}

} // namespace

RankCut
CutOf(const ResolvedRun& run)
{
    const GraphSequence& graph = *run.graph;
    RankCut cut;
    cut.fastest = run.links ? run.links->Fastest() : *run.link;
    if (graph.Period() == 0)
    {
        cut.part = std::numeric_limits<double>::quiet_NaN();
        return cut;
    }
    double all = 0.0;
    double crossing = 0.0;
    LinkParameters found;
    found.delay = std::numeric_limits<double>::infinity();
    found.overhead = std::numeric_limits<double>::infinity();
    found.dataRate = 0.0;
    const auto add = [&](NodeId source, NodeId target) {
        const LinkParameters link = run.links ? run.links->At(source, target) : cut.fastest;
        cut.link = link.delay < found.delay ? Edge{source, target} : cut.link;
        Hasten(found, link);
    };
    ForEachEdge(graph, 0, graph.Period(), [&](NodeId source, NodeId target) {
        all += 1.0;
        if (run.part.RankOf(target, run.nodes) != run.part.RankOf(source, run.nodes))
        {
            crossing += 1.0;
            add(source, target);
            add(target, source); // acknowledgements use the opposite link
        }
    });
    cut.part = all > 0.0 ? crossing / all : 0.0;
    // With sensitivity estimates, every node sends messages to all other nodes. Then any link may
    // connect two ranks, so all links count.
    if (crossing > 0.0 && !IsEstimating(run))
    {
        found.queue = cut.fastest.queue;
        cut.fastest = found;
    }
    return cut;
}

std::string
RankTraceName(const std::string& trace, std::uint32_t rank)
{
    std::filesystem::path path(trace);
    const std::string extension = path.extension();
    return path.replace_extension(".rank" + std::to_string(rank) + extension);
}

void
CheckDivisible(const ResolvedRun& run)
{
    DPDL_REFUSE_IF(run.part.ranks > run.nodes,
                   "number of ranks",
                   std::to_string(run.part.ranks),
                   "at most " + std::to_string(run.nodes) + ", the number of nodes");
    Require(run.network == NetworkKind::MESSAGE, "this network", "--network=message");
    Require(!run.links || run.links->Fastest().group == 0,
            "a group of links, which share what two ranks would have to share at every moment,",
            "links without groups");
    const bool hasDeadline = run.deadline.kind == Deadline::Kind::TIME ||
                             (run.deadline.kind == Deadline::Kind::AUTO && MayWaitForEver(run));
    const bool isEndless =
        std::any_of(run.failureEvents.begin(), run.failureEvents.end(), NeverEnds);
    Require(
        !isEndless || hasDeadline || run.MixesEarly(),
        "a failure that recurs without end, without a deadline, when no rank knows that all wait,",
        "option 'deadline' with a time, or failures that end");
    const bool isMeasured = IsEstimating(run) && (run.preset.sensitivity->isOracle ||
                                                  run.preset.sensitivity->measureEvery > 0);
    Require(
        !isMeasured,
        "the true distance of the nodes (hyper:oracle, hyper:measureEvery), for which the models "
        "of all are compared at one moment,",
        "--hyper=oracle=0,measureEvery=0");
    Require(!run.preset.tracks,
            "algorithm '" + run.algorithm + "', which makes up for some of its losses only,",
            "another algorithm");
}

} // namespace dpdl
