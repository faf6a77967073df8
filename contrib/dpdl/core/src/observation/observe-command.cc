// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/observe-command.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/options.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/accountant.h"
#include "observe-answer.h"

#include <limits>
#include <numeric>
#include <optional>
#include <utility>

// Parses and checks the command line of `observe`, runs the analysis, and prints its answer.

namespace dpdl
{

namespace
{

/// Parsed command line of `observe`. Node indices are checked later, when the trace has been read.
struct ObserveOptions
{
    std::string trace; ///< path of the trace
    /// Value of `--observer` in the syntax of ParseObserver(); empty: not given.
    std::optional<std::string> observer;
    std::optional<std::string> node; ///< value of `--node` or `--target`; empty: all nodes
    /// Value of `--accountant`; empty: the accountant of the run.
    std::optional<std::string> accountant;
    /// Value of `--delta`, in (0, 1); empty: the delta of the run.
    std::optional<double> delta;
    /// Value of `--rounds`: first and last round, both included; empty: all rounds.
    std::optional<std::pair<Round, Round>> rounds;
    bool json{false}; ///< true: `--json` was given
    bool help{false}; ///< true: `--help` was given, and all other options are ignored
};

const char* const HELP =
    R"(usage: ./dpdl observe RUN.db [--node=N] [--accountant=NAME] [--delta=D] [--json]
       ./dpdl observe RUN.db --observer=SPEC [--target=N] [--rounds=FIRST:LAST]
                             [--accountant=NAME] [--delta=D] [--json]

Without --observer: the guarantee of every node, computed anew from the ledger in the trace.
With --observer: what is certified for that observer, with the name of the statement; and apart from
it what the observer could learn of each node from the messages that it saw in this run. That is a
what-if, never a guarantee.

  --observer=link:3->4     listens to the link from node 3 to node 4
  --observer=node:3        node 3 itself, curious
  --observer=nodes:1,2,5   these nodes together
  --observer=final         is given the final model of every node (final:7: of node 7)
  --target=N, --node=N     only the data of node N
  --rounds=FIRST:LAST      the steps of these rounds, by the messages of these rounds
  --accountant=NAME        of the local guarantee (default: the run's own, else rdp)
  --delta=D                instead of the run's delta
  --json                   as JSON
)";

std::pair<Round, Round>
ParseRounds(const std::string& name, const std::string& text)
{
    const std::string what = OptionTitle(name);
    const std::size_t colon = text.find(':');
    DPDL_REFUSE_IF(colon == std::string::npos, what, text, "FIRST:LAST");
    constexpr std::uint64_t most = std::numeric_limits<Round>::max() - 1;
    const std::uint64_t first = ParseInteger(what, text.substr(0, colon), 0, most);
    const std::uint64_t last = ParseInteger(what, text.substr(colon + 1), first, most);
    return {static_cast<Round>(first), static_cast<Round>(last)};
}

OptionTable<ObserveOptions>
MakeTable()
{
    using Options = ObserveOptions;
    OptionTable<Options> table("option of observe");
    const Codec<std::pair<Round, Round>> rounds{"FIRST:LAST", ParseRounds, {}};
    table.Add("observer", AnyText("link:A->B, node:A, nodes:A,B,... or final"), &Options::observer);
    table.Add("target", AnyText("a node"), &Options::node).Formerly("victim");
    table.Add("node", AnyText("a node"), &Options::node);
    table.Add("accountant",
              AccountantName(AnyText("a name of `list accountants`")),
              &Options::accountant);
    table.Add("delta", Delta(), &Options::delta);
    table.Add("rounds", rounds, &Options::rounds);
    table.Add("json", Switch(true), &Options::json);
    table.Add("help", Switch(true), &Options::help);
    return table;
}

/// Rejects options of `observe` that exclude each other.
/// @throws UsageError naming the options
void
CheckCombination(const GivenOptions& given)
{
    const bool observer = given.count("observer") > 0;
    for (const char* name : {"target", "rounds"})
    {
        DPDL_REFUSE_IF(!observer && given.count(name) > 0,
                       std::string("option '") + name + "' goes with --observer=SPEC");
    }
    DPDL_REFUSE_IF(observer && given.count("node") > 0,
                   "option 'node' does not go with --observer; expected --target=N");
}

/**
 * @brief Parses the command line of `observe`.
 * @throws UsageError for an option that is unknown, given twice, has no acceptable value, or cannot
 *        be combined with the other options
 */
ObserveOptions
ParseObserveOptions(const std::vector<std::string>& arguments)
{
    std::vector<std::string> named;
    std::vector<std::string> files;
    for (const std::string& argument : arguments)
    {
        (argument.rfind("--", 0) == 0 ? named : files).push_back(argument);
    }
    const OptionTable<ObserveOptions> table = MakeTable();
    const GivenOptions given = table.Split(named);
    DPDL_REFUSE_IF(files.size() > 1, "argument", files[1], "one trace");
    ObserveOptions options;
    options.help = given.count("help") > 0;
    if (options.help)
    {
        return options;
    }
    CheckCombination(given);
    DPDL_REFUSE_IF(files.empty(), "observe needs a trace file: observe RUN.db [--observer=SPEC]");
    options.trace = files[0];
    table.Read(given, options);
    return options;
}

/// Name of the requested accountant; without option `accountant`, the accountant of the run.
std::string
AccountantOf(const RecordedRun& run, const ObserveOptions& options)
{
    std::string name = options.accountant.value_or(
        CurrentAccountant(run.FindSetting("accountant").value_or("rdp")));
    Accountants().Get(name);
    return name;
}

/// The requested node; without option `node` or `target`, all nodes.
std::vector<NodeId>
NodesOf(const RecordedRun& run, const ObserveOptions& options)
{
    if (options.node.has_value())
    {
        const char* const what = options.observer.has_value() ? "option 'target'" : "option 'node'";
        return {static_cast<NodeId>(ParseInteger(what, *options.node, 0, run.Nodes() - 1))};
    }
    std::vector<NodeId> nodes(run.Nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
}

/// Restricts the analysis to the requested rounds, first and last included.
/// @throws UsageError if the last round is not below the run's number of rounds
void
SelectRounds(ObservedRun& run, const std::pair<Round, Round>& rounds)
{
    DPDL_REFUSE_IF(rounds.second >= run.rounds,
                   "option 'rounds'",
                   std::to_string(rounds.first) + ":" + std::to_string(rounds.second),
                   "rounds below " + std::to_string(run.rounds));
    run.firstRound = rounds.first;
    run.rounds = rounds.second + 1;
}

/// Adds the certificates of the analysed nodes to the answer, or none if the accountant is not
/// certified. Certificates cover the whole run even if only some rounds are analysed.
void
Certify(const ObservedRun& run, const Observer& who, ObserverAnswer& answer)
{
    const auto accountant = Accountants().Get(answer.local.accountant);
    if (!accountant->Certified())
    {
        return;
    }
    AccountingQuery question;
    question.delta = run.delta;
    question.adjacency = run.adjacency;
    AccountantCache guarantees(accountant, question);
    const PhaseKnowledge phases(run, who);
    for (const NodeId target : answer.local.nodes)
    {
        answer.certificates.push_back(CertifyFor(run, phases, who, target, guarantees));
    }
}

ObserverAnswer
ComputeObserver(const RecordedRun& run, const ObserveOptions& options)
{
    const Observer who = ParseObserver(*options.observer, run.Nodes());
    std::vector<NodeId> targets;
    for (const NodeId node : NodesOf(run, options))
    {
        if (!who.Owns(node))
        {
            targets.push_back(node);
        }
        else if (options.node.has_value())
        {
            throw UsageError("option 'target'", *options.node, "a node that does not watch itself");
        }
    }
    const std::string accountant = AccountantOf(run, options);
    ObservedRun whole = ReadObservedRun(run);
    whole.delta = options.delta.value_or(run.Delta());
    ObservedRun observed = whole;
    if (options.rounds.has_value())
    {
        SelectRounds(observed, *options.rounds);
    }
    const NetworkObserver observer(observed, who);
    ObserverAnswer answer;
    answer.observer = Describe(who, run.Nodes());
    answer.view = DescribeView(who, observed.medium);
    answer.rounds = options.rounds;
    answer.messages = observer.MessagesSeen();
    answer.rank = observer.Knowledge().Rank();
    answer.inputs = observer.Inputs();
    answer.conditioning = observer.Knowledge().Conditioning();
    for (const NodeId target : targets)
    {
        answer.views.push_back(observer.View(target));
    }
    answer.local = ComputeLocal(run, targets, accountant, observed.delta);
    Certify(whole, who, answer);
    return answer;
}

} // namespace

void
Observe(const std::vector<std::string>& arguments, std::ostream& out)
{
    const ObserveOptions options = ParseObserveOptions(arguments);
    if (options.help)
    {
        out << AsTyped(HELP);
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
