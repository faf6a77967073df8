// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"

#include <algorithm>
#include <utility>

namespace dpdl
{

namespace
{

/// Rejects a trimmed mean if a node has too few in-neighbours to trim any.
void
CheckDegrees(const ResolvedRun& run, std::size_t trimmed)
{
    const GraphSequence& graph = *run.graph;
    const Round rounds = graph.FollowsRun() ? 0 : std::min<Round>(graph.Period(), run.rounds);
    for (Round round = 0; round < rounds; ++round)
    {
        for (NodeId node = 0; node < run.nodes; ++node)
        {
            const std::size_t heard = graph.InNeighbours(node, round).size();
            if (heard > 2 * trimmed)
            {
                continue;
            }
            const std::size_t most = heard > 0 ? (heard - 1) / 2 : 0;
            throw UsageError("option 'mix'",
                             run.mix,
                             (most > 0 ? "trimmed:F with F up to " + std::to_string(most)
                                       : std::string("average or clipped:TAU")) +
                                 " on topology '" + run.topology + "': node " +
                                 std::to_string(node) + " has in-degree " + std::to_string(heard) +
                                 " in round " + std::to_string(round) +
                                 ", and 2 F shares are left out");
        }
    }
}

} // namespace

NodeSet
ResolveNodes(const ResolvedRun& run, FailureKind kind)
{
    std::vector<NodeId> nodes;
    for (const FailureEvent& event : run.failureEvents)
    {
        if (event.kind == kind)
        {
            event.nodes.ForEach(run.nodes, [&nodes](NodeId node) { nodes.push_back(node); });
        }
    }
    return NodeSet(std::move(nodes));
}

std::string
WhyTooManyLeak(const ResolvedRun& run)
{
    const std::size_t leaking = run.leakers.Members().size();
    double colluders = 0.0;
    for (const auto& [name, value] : run.noiseFigures)
    {
        colluders = name == "colluders" ? value : colluders;
    }
    if (static_cast<double>(leaking) <= colluders)
    {
        return "";
    }
    return std::to_string(leaking) + (leaking == 1 ? " node leaks its" : " nodes leak their") +
           " secrets, and what is certified allows for " + ShowNumber(colluders) +
           (colluders == 1.0 ? " colluder" : " colluders");
}

MixRule
ResolveMixRule(const ResolvedRun& run)
{
    MixRule rule = ParseMixRule(run.mix);
    // Rounded partial sums would reveal more than the sum that the noise hides.
    rule.isExact = HasFlag(run.preset.flags, ReleaseFlag::TRUSTED_SERVER);
    if (rule.kind == MixRule::Kind::TRIMMED && run.preset.exchange == Exchange::MODELS)
    {
        CheckDegrees(run, rule.trimmed);
    }
    return rule;
}

} // namespace dpdl
