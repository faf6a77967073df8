// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-event.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "failure-tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

// Lists all failures for `./dpdl list failures`, names them in traces, refuses conflicting events,
// and reads scripts of events line by line.

namespace dpdl
{

namespace
{

const char* const FROM = "when it begins; also written from";
const char* const HOW_LONG = "how long it lasts";

/// Makes an entry of `list failures` for a failure that has a begin (clause `at`) and a duration
/// (clause `for`).
PartInfo
Lasting(const std::string& name,
        const std::string& summary,
        const std::vector<ParameterInfo>& parameters,
        const std::string& source = "")
{
    PartInfo part{name, summary, source, parameters};
    part.parameters.push_back({"at", "0s", FROM});
    part.parameters.push_back({"for", "to the end", HOW_LONG});
    return part;
}

std::vector<ParameterInfo>
Circle()
{
    return {{"center=", "", "(X,Y) in metres"}, {"radius=", "", "metres"}};
}

std::vector<PartInfo>
LinkParts()
{
    return {
        Lasting("link-down", "link LINKS down: nothing gets through", {}),
        Lasting("link-loss",
                "link LINKS loss P: packets are lost, each for itself",
                {{"P", "", "probability in [0, 1]"}}),
        Lasting("link-delay", "link LINKS delay T: another latency", {{"T", "", "time >= 0"}}),
        Lasting("link-rate", "link LINKS rate R: another data rate", {{"R", "", "data rate > 0"}}),
        Lasting("gilbert-elliott",
                "link LINKS gilbert-elliott: packets are lost in bursts",
                {{"p=", "", "probability that a good link turns bad, a packet"},
                 {"r=", "", "probability that a bad link turns good, a packet"},
                 {"bad=", "", "probability of loss while bad"},
                 {"good=", "0", "probability of loss while good"}},
                "Gilbert (1960), Elliott (1963)"),
        Lasting("flap",
                "link LINKS flap: alternates between up and down",
                {{"up=", "", "time up; or mean-up=, exponential"},
                 {"down=", "", "time down; or mean-down=, exponential"}})};
}

/// Names of one kind of failure in messages and traces.
struct KindNames
{
    const char* begins; ///< name of the failure's begin in traces, such as `down`
    const char* ends;   ///< name of the failure's end in traces, such as `up`
    /// Name in error messages, for a failure of which a link or node can have only one at a time.
    /// "" if such failures can overlap.
    const char* onlyOne;
};

/// Names of all kinds of failures; index: FailureKind.
constexpr std::array<KindNames, 13> KINDS{
    {{"down", "up", ""},
     {"loss", "loss-end", ""},
     {"delay", "delay-end", "one delay of a link"},
     {"rate", "rate-end", "one rate of a link"},
     {"gilbert-elliott", "gilbert-elliott-end", "one gilbert-elliott of a link"},
     {"pause", "resume", ""},
     {"crash", "recover", "one crash of a node"},
     {"slow", "slow-end", "one slowdown of a node"},
     {"lie", "lie-end", "one lie of a node"},
     {"leak", "", ""},
     {"partition", "partition-end", ""},
     {"region", "region-end", ""},
     {"jam", "jam-end", ""}}};

const KindNames&
NamesOf(FailureKind kind)
{
    return KINDS[static_cast<std::size_t>(kind)];
}

bool
ConcernTheSame(const FailureEvent& a, const FailureEvent& b)
{
    const bool sameTime = a.timing.begin < b.timing.end && b.timing.begin < a.timing.end;
    return sameTime && (a.links.Intersects(b.links) || !a.nodes.Common(b.nodes).IsEmpty());
}

/// Refuses an event that conflicts with one of the @p earlier events.
/// @throws UsageError that names both events
void
RefuseClash(const FailureEvent& event, const std::vector<FailureEvent>& earlier)
{
    const std::string onlyOne = NamesOf(event.kind).onlyOne;
    if (onlyOne.empty())
    {
        return;
    }
    for (const FailureEvent& other : earlier)
    {
        DPDL_REFUSE_IF(other.kind == event.kind && ConcernTheSame(event, other),
                       event.place,
                       Excerpt(event.text),
                       onlyOne + " at a time, not another one beside '" + Excerpt(other.text) +
                           "' (" + other.place + ")");
    }
}

bool
IsName(const std::string& text)
{
    const auto belongs = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
               letter == '-';
    };
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
           std::all_of(text.begin(), text.end(), belongs);
}

/// Parses `NAME = NODES`, the remainder of a line `group NAME = NODES`, and adds the group to
/// @p groups; key: name.
/// @throws UsageError if NAME is not a valid name or another group has it
void
ParseGroup(FailureTokens& words, std::map<std::string, NodeSet>& groups)
{
    std::string definition;
    const char* const expected = "NAME = NODES, such as rsu = {0-3}";
    do
    {
        definition += words.Take(expected);
    } while (!words.AtEnd());
    const std::size_t equals = definition.find('=');
    DPDL_REFUSE_IF(equals == std::string::npos, words.Place(), definition, expected);
    const std::string name = definition.substr(0, equals);
    DPDL_REFUSE_IF(!IsName(name),
                   words.Place(),
                   name,
                   "a name of a letter and letters, digits, - and _");
    DPDL_REFUSE_IF(groups.count(name) > 0, words.Place(), name, "a name that no other group has");
    groups[name] = words.Nodes(definition.substr(equals + 1));
}

} // namespace

std::vector<PartInfo>
FailureParts()
{
    std::vector<PartInfo> parts = LinkParts();
    const std::vector<PartInfo> more{
        Lasting("node-pause", "node NODES pause: neither computes nor sends, still receives", {}),
        Lasting("node-crash",
                "node NODES crash: gone, with all links",
                {{"recover", "never", "time at which it is back, in place of for"},
                 {"with state", "without state", "it comes back with what it knew"}}),
        Lasting("node-slow",
                "node NODES slow Fx: its local steps take F times as long",
                {{"F", "", "factor > 0"}}),
        Lasting("node-lie",
                "node NODES lies LIE: its shares look right and are not",
                {{"LIE", "", JoinNames(Lies().Names())},
                 {"scale=", "", "of noise: standard deviation of each parameter, > 0"}}),
        {"node-leak",
         "node NODES leaks: the secrets that it shares are known, of all rounds",
         "",
         {{"at", "0s", FROM}}},
        Lasting("partition", "partition {..} {..}: links between the groups are down", {}),
        Lasting("region", "region down: all links of the nodes within a circle are down", Circle()),
        Lasting("jam", "jam loss P: nodes within a circle lose what is sent to them", Circle()),
        {"random",
         "random SENTENCE: comes and goes, with exponential times",
         "",
         {{"mean-up=", "", "mean time without the failure"},
          {"mean-down=", "", "mean time with it"},
          {"together", "each for itself", "all links or nodes at once, by one draw"}}},
        {"group", "group NAME = NODES: a name for nodes"}};
    parts.insert(parts.end(), more.begin(), more.end());
    return parts;
}

std::string
FailureEventName(FailureKind kind, bool begins)
{
    return begins ? NamesOf(kind).begins : NamesOf(kind).ends;
}

FailureScript::FailureScript(std::size_t nodes)
    : m_nodes(nodes)
{
}

void
FailureScript::AddLine(const std::string& line, const std::string& name, std::size_t number)
{
    FailureTokens words(line, name + ", line " + std::to_string(number), m_groups, m_nodes);
    if (words.AtEnd())
    {
        return;
    }
    if (words.Peek() == "group")
    {
        words.Take("");
        ParseGroup(words, m_groups);
        return;
    }
    FailureEvent event = ParseFailure(words);
    RefuseClash(event, m_events);
    m_events.push_back(std::move(event));
}

void
FailureScript::AddText(const std::string& text, const std::string& name)
{
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        AddLine(line, name, ++number);
    }
}

void
FailureScript::AddFile(const std::string& path)
{
    const std::string accepted = "a file of events that can be read";
    std::ifstream file = OpenInputFile("file of failures", path, accepted);
    std::ostringstream text;
    DPDL_REFUSE_IF(!(text << file.rdbuf()), "file of failures", path, accepted);
    AddText(text.str(), path);
}

std::vector<FailureEvent>
ParseFailures(const std::string& text, const std::string& name, std::size_t nodes)
{
    FailureScript script(nodes);
    script.AddText(text, name);
    return script.Events();
}

std::vector<std::string>
WarnOfUnusedLinks(const std::vector<FailureEvent>& events, const std::vector<LinkId>& links)
{
    std::vector<std::string> warnings;
    for (const FailureEvent& event : events)
    {
        const bool concernsLinks = event.kind <= FailureKind::LINK_BURST;
        const bool used = std::any_of(links.begin(), links.end(), [&](const LinkId& link) {
            return event.links.Covers(link.source, link.target);
        });
        if (concernsLinks && !used)
        {
            warnings.push_back(event.place + ": '" + event.text +
                               "' has no effect: the topology uses none of these links");
        }
    }
    return warnings;
}

} // namespace dpdl
