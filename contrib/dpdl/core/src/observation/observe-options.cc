// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "observe-options.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <limits>
#include <map>

namespace dpdl
{

namespace
{

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

const std::vector<std::string>&
Names()
{
    static const std::vector<std::string> NAMES{
        "observer",
        "victim",
        "node",
        "accountant",
        "delta",
        "rounds",
        "json",
        "help",
    };
    return NAMES;
}

using Values = std::map<std::string, std::string>;

/// Splits `--name=value`; the file is entered under "".
Values
Split(const std::vector<std::string>& arguments)
{
    Values values;
    for (const std::string& argument : arguments)
    {
        const bool isOption = argument.rfind("--", 0) == 0;
        const std::size_t equals = isOption ? argument.find('=') : std::string::npos;
        const std::string name = isOption ? argument.substr(2, equals - 2) : "";
        if (isOption && std::find(Names().begin(), Names().end(), name) == Names().end())
        {
            ThrowUnknownName("option of observe", name, Names());
        }
        const bool isSwitch = name == "json" || name == "help";
        if (isOption && isSwitch != (equals == std::string::npos))
        {
            throw UsageError("argument", argument, isSwitch ? "--" + name : "--" + name + "=VALUE");
        }
        const std::string value = isOption && !isSwitch ? argument.substr(equals + 1) : argument;
        if (!values.emplace(name, value).second)
        {
            throw UsageError("argument", argument, "one trace, and every option once");
        }
    }
    return values;
}

std::optional<std::string>
Find(const Values& values, const std::string& name)
{
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::pair<Round, Round>
ParseRounds(const std::string& text)
{
    const std::string what = "option 'rounds'";
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
    {
        throw UsageError(what, text, "FIRST:LAST");
    }
    constexpr std::uint64_t most = std::numeric_limits<Round>::max() - 1;
    const std::uint64_t first = ParseInteger(what, text.substr(0, colon), 0, most);
    const std::uint64_t last = ParseInteger(what, text.substr(colon + 1), first, most);
    return {static_cast<Round>(first), static_cast<Round>(last)};
}

double
ParseDelta(const std::string& text)
{
    const double delta = ParseNumber("option 'delta'", text, "a number in (0, 1)");
    if (!(delta > 0.0 && delta < 1.0))
    {
        throw UsageError("option 'delta'", text, "a number in (0, 1)");
    }
    return delta;
}

/// Refuses what does not go together.
void
CheckCombination(const Values& values)
{
    const bool observer = values.count("observer") > 0;
    for (const char* name : {"victim", "rounds"})
    {
        if (!observer && values.count(name) > 0)
        {
            throw UsageError(std::string("option '") + name + "' goes with --observer=SPEC");
        }
    }
    if (observer && values.count("node") > 0)
    {
        throw UsageError("option 'node' does not go with --observer; expected --victim=N");
    }
    if (values.count("") == 0)
    {
        throw UsageError("observe needs a trace file: observe RUN.db [--observer=SPEC]");
    }
}

} // namespace

ObserveOptions
ParseObserveOptions(const std::vector<std::string>& arguments)
{
    const Values values = Split(arguments);
    ObserveOptions options;
    options.help = values.count("help") > 0;
    if (options.help)
    {
        return options;
    }
    CheckCombination(values);
    options.trace = values.at("");
    options.observer = Find(values, "observer");
    options.node = Find(values, options.observer.has_value() ? "victim" : "node");
    options.accountant = Find(values, "accountant");
    options.json = values.count("json") > 0;
    if (const std::optional<std::string> rounds = Find(values, "rounds"))
    {
        options.rounds = ParseRounds(*rounds);
    }
    if (const std::optional<std::string> delta = Find(values, "delta"))
    {
        options.delta = ParseDelta(*delta);
    }
    return options;
}

std::string
ObserveHelp()
{
    return HELP;
}

} // namespace dpdl
