// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-tokens.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <numeric>
#include <utility>

// Splits a line into words, and removes blanks within braces, within parentheses and around arrows.
// Parses sets of nodes and links, times and probabilities.

namespace dpdl
{

namespace
{

using boost::algorithm::ends_with;
using boost::algorithm::starts_with;

constexpr double NANOSECONDS = 1e9; // nanoseconds in a second

/// Key: name of a clause whose value is the next word. Value: accepted form of that word, for
/// errors.
const std::map<std::string, std::string> WITH_WORD{{"at", "a time such as 5s"},
                                                   {"for", "a time such as 5s"},
                                                   {"loss", "a probability"},
                                                   {"recover", "a time such as 5s"},
                                                   {"with", "state"},
                                                   {"without", "state"}};

constexpr const char* LENGTH_EXPECTED =
    "a time > 0 with a unit, such as 5ms or 2s, of 4000000s at most";

bool
IsNumeric(const std::string& text)
{
    const char first = *NumberBegin(text);
    return first >= '0' && first <= '9';
}

std::vector<std::string>
Split(const std::string& text)
{
    std::vector<std::string> parts;
    return boost::algorithm::split(parts, text, [](char letter) { return letter == ','; });
}

constexpr const char* LINKS_EXPECTED =
    "two sets of nodes and an arrow, such as 3->4, {0-2}->* or 3<->4, or * for all links";

} // namespace

FailureTokens::FailureTokens(const std::string& line,
                             std::string place,
                             const std::map<std::string, NodeSet>& groups,
                             std::size_t nodes)
    : m_place(std::move(place)),
      m_groups(groups),
      m_nodes(nodes)
{
    SplitLine(line.substr(0, line.find('#')));
    JoinArrows();
}

void
FailureTokens::SplitLine(const std::string& line)
{
    std::string word;
    char closing = '\0';
    for (const char letter : line)
    {
        const bool isBlank = letter == ' ' || (letter >= '\t' && letter <= '\r');
        if (!isBlank)
        {
            word += letter;
        }
        else if (closing == '\0' && !word.empty())
        {
            m_words.push_back(word);
            word.clear();
        }
        if (closing == '\0')
        {
            closing = letter == '{' ? '}' : letter == '(' ? ')' : '\0';
        }
        else if (letter == closing)
        {
            closing = '\0';
        }
    }
    DPDL_REFUSE_IF(closing != '\0', m_place, word, std::string("a closing ") + closing);
    if (!word.empty())
    {
        m_words.push_back(word);
    }
}

void
FailureTokens::JoinArrows()
{
    std::vector<std::string> joined;
    for (const std::string& word : m_words)
    {
        const bool begins = starts_with(word, "->") || starts_with(word, "<->");
        if (!joined.empty() && (begins || ends_with(joined.back(), "->")))
        {
            joined.back() += word;
        }
        else
        {
            joined.push_back(word);
        }
    }
    m_words = joined;
}

const std::string&
FailureTokens::Take(const std::string& expected)
{
    if (AtEnd())
    {
        RefuseEnd(expected);
    }
    return m_words[m_next++];
}

std::string
FailureTokens::Text() const
{
    return JoinNames(m_words, " ");
}

void
FailureTokens::RefuseName(const std::string& word, const std::vector<std::string>& names) const
{
    ThrowUnknownName(m_place, Excerpt(word), names);
}

void
FailureTokens::RefuseEnd(const std::string& expected) const
{
    const std::string last = m_words.empty() ? "" : " after '" + Excerpt(m_words.back()) + "'";
    throw UsageError(m_place + ": the event is incomplete" + last + "; expected " + expected);
}

std::string
FailureTokens::Expected() const
{
    return "nodes in 0.." + std::to_string(m_nodes - 1) +
           " as a number, a range 0-3, a list {0-3,7}, * or the name of a group";
}

NodeId
FailureTokens::Number(const std::string& word, const std::string& text) const
{
    const auto node = FindNumber<NodeId>(text);
    DPDL_REFUSE_IF(!node || *node >= m_nodes, m_place, word, Expected());
    return *node;
}

void
FailureTokens::AddItem(const std::string& word,
                       const std::string& item,
                       std::vector<NodeId>& to) const
{
    if (IsNumeric(item))
    {
        const std::size_t dash = item.find('-');
        const NodeId first = Number(word, item.substr(0, dash));
        const NodeId last = dash == std::string::npos ? first : Number(word, item.substr(dash + 1));
        DPDL_REFUSE_IF(last < first, m_place, word, "ranges from the smaller to the larger number");
        to.resize(to.size() + last - first + 1);
        std::iota(to.end() - (last - first + 1), to.end(), first);
        return;
    }
    const auto group = m_groups.find(item);
    if (group == m_groups.end())
    {
        std::vector<std::string> names;
        for (const auto& entry : m_groups)
        {
            names.push_back(entry.first);
        }
        const std::string nearest = NearestName(item, names);
        throw UsageError(m_place,
                         word,
                         Expected() +
                             (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
    }
    group->second.ForEach(m_nodes, [&to](NodeId node) { to.push_back(node); });
}

NodeSet
FailureTokens::Nodes(const std::string& word) const
{
    if (word == "*")
    {
        return NodeSet::All();
    }
    const bool isList = word.size() >= 2 && word.front() == '{' && word.back() == '}';
    std::vector<NodeId> members;
    const std::vector<std::string> items =
        isList ? Split(word.substr(1, word.size() - 2)) : std::vector<std::string>{word};
    for (const std::string& item : items)
    {
        AddItem(word, item, members);
    }
    NodeSet set(std::move(members));
    return set.Members().size() == m_nodes ? NodeSet::All() : set;
}

LinkSet
FailureTokens::Links(const std::string& word) const
{
    if (word == "*")
    {
        return {NodeSet::All(), NodeSet::All(), false};
    }
    const std::size_t arrow = word.find("->");
    DPDL_REFUSE_IF(arrow == std::string::npos, m_place, word, LINKS_EXPECTED);
    const bool bothWays = arrow > 0 && word[arrow - 1] == '<';
    const std::string source = word.substr(0, bothWays ? arrow - 1 : arrow);
    const std::string target = word.substr(arrow + 2);
    DPDL_REFUSE_IF(source.empty() || target.empty(), m_place, word, LINKS_EXPECTED);
    const LinkSet links{Nodes(source), Nodes(target), bothWays};
    DPDL_REFUSE_IF(!links.Intersects({NodeSet::All(), NodeSet::All(), false}),
                   m_place,
                   word,
                   "a link between two different nodes");
    return links;
}

Position
FailureTokens::Point(const std::string& word, const std::string& text) const
{
    const std::string expected = "a place in metres, such as center=(500,300)";
    const bool bracketed = text.size() >= 2 && text.front() == '(' && text.back() == ')';
    const std::vector<std::string> parts = Split(bracketed ? text.substr(1, text.size() - 2) : "");
    DPDL_REFUSE_IF(parts.size() != 2, m_place, word, expected);
    return {ParseNumber(m_place, Excerpt(parts[0]), expected),
            ParseNumber(m_place, Excerpt(parts[1]), expected)};
}

double
WholeNanoseconds(double seconds)
{
    return std::round(seconds * NANOSECONDS) / NANOSECONDS;
}

double
FailureTokens::Time(const std::string& text) const
{
    return WholeNanoseconds(ParseSeconds(m_place, Excerpt(text)));
}

double
FailureTokens::Probability(const std::string& text) const
{
    return ParseNumber(m_place, Excerpt(text), "a probability in [0, 1]", [](double value) {
        return value >= 0.0 && value <= 1.0;
    });
}

FailureClauses::FailureClauses(FailureTokens& words, const std::vector<std::string>& accepted)
    : m_words(words)
{
    while (!words.AtEnd())
    {
        const std::string word = words.Take("");
        const std::size_t equals = word.find('=');
        std::string name = equals != std::string::npos ? word.substr(0, equals + 1) : word;
        if (std::find(accepted.begin(), accepted.end(), name) == accepted.end())
        {
            words.RefuseName(name, accepted);
        }
        name = name == "from" ? "at" : name;
        std::string value;
        if (name.back() == '=')
        {
            value = word.substr(name.size());
        }
        else if (WITH_WORD.count(name) > 0)
        {
            value = words.Take(WITH_WORD.at(name));
        }
        DPDL_REFUSE_IF(!m_given.emplace(name, value).second,
                       words.Place(),
                       word,
                       name == "at" ? "at or from, once" : name + " once");
    }
}

const std::string&
FailureClauses::Value(const std::string& name, const std::string& expected) const
{
    const auto given = m_given.find(name);
    if (given == m_given.end())
    {
        m_words.RefuseEnd(expected);
    }
    return given->second;
}

double
FailureClauses::Time(const std::string& name, double missing) const
{
    return Has(name) ? m_words.Time(Value(name, "")) : missing;
}

double
FailureClauses::Length(const std::string& name, double missing) const
{
    const double length = Time(name, missing);
    DPDL_REFUSE_IF(Has(name) && length <= 0.0, m_words.Place(), Value(name, ""), LENGTH_EXPECTED);
    return length;
}

double
FailureClauses::Probability(const std::string& name, double missing) const
{
    return Has(name) ? m_words.Probability(Value(name, "")) : missing;
}

} // namespace dpdl
