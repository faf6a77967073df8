// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-sets.h"

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace dpdl
{

namespace
{

bool
IsDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

bool
IsNumeric(const std::string& text)
{
    return !text.empty() && IsDigit(text.front());
}

/// The parts between commas.
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts{""};
    for (const char letter : text)
    {
        if (letter == separator)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += letter;
        }
    }
    return parts;
}

constexpr const char* LINKS_EXPECTED =
    "two sets of nodes and an arrow, such as 3->4, {0-2}->* or 3<->4, or * for all links";

} // namespace

std::string
FailureSets::Expected() const
{
    return "nodes in 0.." + std::to_string(m_nodes - 1) +
           " as a number, a range 0-3, a list {0-3,7}, * or the name of a group";
}

NodeId
FailureSets::Number(const std::string& word, const std::string& text) const
{
    NodeId node = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, node);
    if (error != std::errc() || stop != end || node >= m_nodes)
    {
        m_words.Refuse(word, Expected());
    }
    return node;
}

void
FailureSets::AddItem(const std::string& word,
                     const std::string& item,
                     std::vector<NodeId>& to) const
{
    if (IsNumeric(item))
    {
        const std::size_t dash = item.find('-');
        const NodeId first = Number(word, item.substr(0, dash));
        const NodeId last = dash == std::string::npos ? first : Number(word, item.substr(dash + 1));
        if (last < first)
        {
            m_words.Refuse(word, "ranges from the smaller to the larger number");
        }
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
        m_words.Refuse(word,
                       Expected() + (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
    }
    group->second.ForEach(m_nodes, [&to](NodeId node) { to.push_back(node); });
}

NodeSet
FailureSets::Nodes(const std::string& word) const
{
    if (word == "*")
    {
        return NodeSet::All();
    }
    const bool isList = word.size() >= 2 && word.front() == '{' && word.back() == '}';
    std::vector<NodeId> members;
    const std::vector<std::string> items =
        isList ? Split(word.substr(1, word.size() - 2), ',') : std::vector<std::string>{word};
    for (const std::string& item : items)
    {
        AddItem(word, item, members);
    }
    NodeSet set(std::move(members));
    return set.Members().size() == m_nodes ? NodeSet::All() : set;
}

LinkSet
FailureSets::Links(const std::string& word) const
{
    if (word == "*")
    {
        return {NodeSet::All(), NodeSet::All(), false};
    }
    const std::size_t arrow = word.find("->");
    if (arrow == std::string::npos)
    {
        m_words.Refuse(word, LINKS_EXPECTED);
    }
    const bool bothWays = arrow > 0 && word[arrow - 1] == '<';
    const std::string source = word.substr(0, bothWays ? arrow - 1 : arrow);
    const std::string target = word.substr(arrow + 2);
    if (source.empty() || target.empty())
    {
        m_words.Refuse(word, LINKS_EXPECTED);
    }
    const LinkSet links{Nodes(source), Nodes(target), bothWays};
    if (!links.Intersects({NodeSet::All(), NodeSet::All(), false}))
    {
        m_words.Refuse(word, "a link between two different nodes");
    }
    return links;
}

Position
FailureSets::Place(const std::string& word, const std::string& text) const
{
    const std::string expected = "a place in metres, such as center=(500,300)";
    const bool bracketed = text.size() >= 2 && text.front() == '(' && text.back() == ')';
    const std::vector<std::string> parts =
        Split(bracketed ? text.substr(1, text.size() - 2) : "", ',');
    if (parts.size() != 2)
    {
        m_words.Refuse(word, expected);
    }
    const std::string what = m_words.Place();
    return {ParseNumber(what, Excerpt(parts[0]), expected),
            ParseNumber(what, Excerpt(parts[1]), expected)};
}

} // namespace dpdl
