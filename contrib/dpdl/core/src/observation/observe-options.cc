// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "observe-options.h"

#include "dpdl/base/command-options.h"

#include <limits>

namespace dpdl
{

namespace
{

const char* const DELTA = "a number in (0, 1)";

const char* const HELP =
    R"(usage: ./dpdl observe RUN.db [--node=N] [--accountant=NAME] [--delta=D] [--json]
       ./dpdl observe RUN.db --observer=SPEC [--victim=N] [--rounds=FIRST:LAST]
                             [--accountant=NAME] [--delta=D] [--json]

Without --observer: the guarantee of every node, computed anew from the ledger in the trace.
With --observer: what somebody could learn of each node from the messages that he saw in this run.
That is a what-if, never a guarantee.

  --observer=link:3->4     listens to the link from node 3 to node 4
  --observer=node:3        node 3 itself, curious
  --observer=nodes:1,2,5   these nodes together
  --observer=final         is given the final model of every node (final:7: of node 7)
  --victim=N, --node=N     only the data of node N
  --rounds=FIRST:LAST      the steps of these rounds, by the messages of these rounds
  --accountant=NAME        of the local guarantee (default: the run's own, else rdp)
  --delta=D                instead of the run's delta
  --json                   as JSON
)";

/// What an option accepts, "" for one that stands alone.
std::string
AcceptedBy(const std::string& name)
{
    static const std::vector<std::pair<std::string, std::string>> ACCEPTED{
        {"observer", "link:A->B, node:A, nodes:A,B,... or final"},
        {"victim", "a node"},
        {"node", "a node"},
        {"accountant", "a name of `list accountants`"},
        {"delta", DELTA},
        {"rounds", "FIRST:LAST"},
        {"json", ""},
        {"help", ""}};
    return ChoiceOf("option of observe", name, ACCEPTED);
}

/// Splits the command line; the file is entered under "".
GivenOptions
Split(const std::vector<std::string>& arguments)
{
    std::vector<std::string> options;
    std::vector<std::string> files;
    for (const std::string& argument : arguments)
    {
        (argument.rfind("--", 0) == 0 ? options : files).push_back(argument);
    }
    GivenOptions given = SplitOptions(options, AcceptedBy);
    if (files.size() > 1)
    {
        throw UsageError("argument", files[1], "one trace");
    }
    if (!files.empty())
    {
        given.emplace("", files[0]);
    }
    return given;
}

std::optional<std::string>
Find(const GivenOptions& given, const std::string& name)
{
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::pair<Round, Round>
ParseRounds(const std::string& text)
{
    const std::string what = OptionTitle("rounds");
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
    {
        throw UsageError(what, text, AcceptedBy("rounds"));
    }
    constexpr std::uint64_t most = std::numeric_limits<Round>::max() - 1;
    const std::uint64_t first = ParseInteger(what, text.substr(0, colon), 0, most);
    const std::uint64_t last = ParseInteger(what, text.substr(colon + 1), first, most);
    return {static_cast<Round>(first), static_cast<Round>(last)};
}

/// Refuses what does not go together.
void
CheckCombination(const GivenOptions& given)
{
    const bool observer = given.count("observer") > 0;
    for (const char* name : {"victim", "rounds"})
    {
        if (!observer && given.count(name) > 0)
        {
            throw UsageError(std::string("option '") + name + "' goes with --observer=SPEC");
        }
    }
    if (observer && given.count("node") > 0)
    {
        throw UsageError("option 'node' does not go with --observer; expected --victim=N");
    }
    if (given.count("") == 0)
    {
        throw UsageError("observe needs a trace file: observe RUN.db [--observer=SPEC]");
    }
}

} // namespace

ObserveOptions
ParseObserveOptions(const std::vector<std::string>& arguments)
{
    const GivenOptions given = Split(arguments);
    ObserveOptions options;
    options.help = given.count("help") > 0;
    if (options.help)
    {
        return options;
    }
    CheckCombination(given);
    options.trace = given.at("");
    options.observer = Find(given, "observer");
    options.node = Find(given, options.observer.has_value() ? "victim" : "node");
    options.accountant = Find(given, "accountant");
    options.json = given.count("json") > 0;
    if (const std::optional<std::string> rounds = Find(given, "rounds"))
    {
        options.rounds = ParseRounds(*rounds);
    }
    if (const std::optional<std::string> delta = Find(given, "delta"))
    {
        options.delta = ParseNumber(OptionTitle("delta"), *delta, DELTA, [](double value) {
            return value > 0.0 && value < 1.0;
        });
    }
    return options;
}

std::string
ObserveHelp()
{
    return HELP;
}

} // namespace dpdl
