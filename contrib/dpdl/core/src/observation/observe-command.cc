// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/observe-command.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "observe-answer.h"
#include "observe-options.h"

#include <numeric>
#include <utility>

namespace dpdl
{

namespace
{

/// The accountant of the local guarantee: as asked for, or the run's own.
std::string
AccountantOf(const RecordedRun& run, const ObserveOptions& options)
{
    std::string name = options.accountant.value_or(run.FindSetting("accountant").value_or("rdp"));
    Accountants().Get(name);
    return name;
}

/// The nodes that were asked for: one, or all.
std::vector<NodeId>
NodesOf(const RecordedRun& run, const ObserveOptions& options)
{
    if (options.node.has_value())
    {
        const char* const what = options.observer.has_value() ? "option 'victim'" : "option 'node'";
        return {static_cast<NodeId>(ParseInteger(what, *options.node, 0, run.Nodes() - 1))};
    }
    std::vector<NodeId> nodes(run.Nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
}

/// Cuts the run down to the rounds that were asked for.
void
SelectRounds(ObservedRun& run, const std::pair<Round, Round>& rounds)
{
    if (rounds.second >= run.rounds)
    {
        throw UsageError("option 'rounds'",
                         std::to_string(rounds.first) + ":" + std::to_string(rounds.second),
                         "rounds below " + std::to_string(run.rounds));
    }
    run.firstRound = rounds.first;
    run.rounds = rounds.second + 1;
}

ObserverAnswer
ComputeObserver(const RecordedRun& run, const ObserveOptions& options)
{
    const Observer who = ParseObserver(*options.observer, run.Nodes());
    std::vector<NodeId> victims;
    for (const NodeId node : NodesOf(run, options))
    {
        if (!who.Owns(node))
        {
            victims.push_back(node);
        }
        else if (options.node.has_value())
        {
            throw UsageError("option 'victim'", *options.node, "a node that does not watch itself");
        }
    }
    const std::string accountant = AccountantOf(run, options);
    ObservedRun observed = ReadObservedRun(run);
    observed.delta = options.delta.value_or(run.Delta());
    if (options.rounds.has_value())
    {
        SelectRounds(observed, *options.rounds);
    }
    const NetworkObserver observer(observed, who);
    ObserverAnswer answer;
    answer.observer = Describe(who, run.Nodes());
    answer.rounds = options.rounds;
    answer.messages = observer.MessagesSeen();
    answer.rank = observer.Knowledge().Rank();
    answer.inputs = observer.Inputs();
    answer.conditioning = observer.Knowledge().Conditioning();
    for (const NodeId victim : victims)
    {
        answer.views.push_back(observer.View(victim));
    }
    answer.local = ComputeLocal(run, victims, accountant, observed.delta);
    return answer;
}

} // namespace

void
Observe(const std::vector<std::string>& arguments, std::ostream& out)
{
    const ObserveOptions options = ParseObserveOptions(arguments);
    if (options.help)
    {
        out << ObserveHelp();
        return;
    }
    const RecordedRun run(options.trace);
    if (options.observer.has_value())
    {
        Print(run, ComputeObserver(run, options), options.json, out);
        return;
    }
    Print(run,
          ComputeLocal(run,
                       NodesOf(run, options),
                       AccountantOf(run, options),
                       options.delta.value_or(run.Delta())),
          options.json,
          out);
}

} // namespace dpdl
