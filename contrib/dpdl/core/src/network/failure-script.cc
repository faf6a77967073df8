// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-script.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"
#include "dpdl/network/failure-sentence.h"
#include "failure-parser.h"
#include "failure-sets.h"
#include "failure-words.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dpdl
{

namespace
{

/**
 * @brief Refuses a sentence that contradicts an earlier one.
 * @param sentence the new one
 * @param earlier those before it
 * @throws UsageError naming both
 */
void RefuseClash(const FailureSentence& sentence, const std::vector<FailureSentence>& earlier);

/// What a link or node can have only one of at a time; "" for failures that add up.
std::string
OnlyOne(FailureKind kind)
{
    switch (kind)
    {
    case FailureKind::LINK_DELAY:
        return "one delay of a link";
    case FailureKind::LINK_RATE:
        return "one rate of a link";
    case FailureKind::LINK_BURST:
        return "one gilbert-elliott of a link";
    case FailureKind::NODE_CRASH:
        return "one crash of a node";
    case FailureKind::NODE_SLOW:
        return "one slowdown of a node";
    case FailureKind::LINK_DOWN:
    case FailureKind::LINK_LOSS:
    case FailureKind::NODE_PAUSE:
    case FailureKind::PARTITION:
    case FailureKind::REGION:
    case FailureKind::JAM:
        break;
    }
    return "";
}

bool
ConcernTheSame(const FailureSentence& a, const FailureSentence& b)
{
    const bool sameTime = a.timing.begin < b.timing.end && b.timing.begin < a.timing.end;
    return sameTime && (a.links.Intersects(b.links) || !a.nodes.Common(b.nodes).IsEmpty());
}

void
RefuseClash(const FailureSentence& sentence, const std::vector<FailureSentence>& earlier)
{
    const std::string onlyOne = OnlyOne(sentence.kind);
    if (onlyOne.empty())
    {
        return;
    }
    for (const FailureSentence& other : earlier)
    {
        if (other.kind == sentence.kind && ConcernTheSame(sentence, other))
        {
            throw UsageError(sentence.place,
                             Excerpt(sentence.text),
                             onlyOne + " at a time, not another one beside '" +
                                 Excerpt(other.text) + "' (" + other.place + ")");
        }
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

/// Reads the rest of `group NAME = NODES`.
void
ParseGroup(FailureWords& words, const FailureSets& sets, std::map<std::string, NodeSet>& groups)
{
    std::string definition;
    const char* const expected = "NAME = NODES, such as rsu = {0-3}";
    do
    {
        definition += words.Take(expected);
    } while (!words.AtEnd());
    const std::size_t equals = definition.find('=');
    if (equals == std::string::npos)
    {
        words.Refuse(definition, expected);
    }
    const std::string name = definition.substr(0, equals);
    if (!IsName(name))
    {
        words.Refuse(name, "a name of a letter and letters, digits, - and _");
    }
    if (groups.count(name) > 0)
    {
        words.Refuse(name, "a name that no other group has");
    }
    groups[name] = sets.Nodes(definition.substr(equals + 1));
}

} // namespace

FailureScript::FailureScript(std::size_t nodes)
    : m_nodes(nodes)
{
}

void
FailureScript::AddLine(const std::string& line, const std::string& name, std::size_t number)
{
    FailureWords words(line, name + ", line " + std::to_string(number));
    if (words.AtEnd())
    {
        return;
    }
    const FailureSets sets(words, m_groups, m_nodes);
    if (words.Peek() == "group")
    {
        words.Take("");
        ParseGroup(words, sets, m_groups);
        return;
    }
    FailureSentence sentence = FailureParser(words, sets).Parse();
    RefuseClash(sentence, m_sentences);
    m_sentences.push_back(std::move(sentence));
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
    std::ifstream file(path);
    std::ostringstream text;
    if (!(text << file.rdbuf()))
    {
        throw UsageError("file of failures", path, "a file of sentences that can be read");
    }
    AddText(text.str(), path);
}

std::vector<FailureSentence>
ParseFailures(const std::string& text, const std::string& name, std::size_t nodes)
{
    FailureScript script(nodes);
    script.AddText(text, name);
    return script.Sentences();
}

std::vector<std::string>
WarnOfUnusedLinks(const std::vector<FailureSentence>& sentences, const std::vector<LinkId>& links)
{
    std::vector<std::string> warnings;
    for (const FailureSentence& sentence : sentences)
    {
        const bool concernsLinks = sentence.kind <= FailureKind::LINK_BURST;
        const bool used = std::any_of(links.begin(), links.end(), [&](const LinkId& link) {
            return sentence.links.Covers(link.source, link.target);
        });
        if (concernsLinks && !used)
        {
            warnings.push_back(sentence.place + ": '" + sentence.text +
                               "' has no effect: the topology uses none of these links");
        }
    }
    return warnings;
}

} // namespace dpdl
