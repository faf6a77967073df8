// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-links.h"

#include <algorithm>
#include <limits>

namespace dpdl
{

namespace
{

constexpr double NEVER = -std::numeric_limits<double>::infinity();
constexpr std::size_t NOWHERE = std::numeric_limits<std::size_t>::max();

/// A failure of more links than this is not noted with each of them.
constexpr std::size_t FEW_LINKS = 16;

bool
IsDown(const FailureEvent& sentence)
{
    return sentence.kind == FailureKind::LINK_DOWN || sentence.kind == FailureKind::PARTITION;
}

bool
IsWide(const FailureEvent& sentence)
{
    const LinkSet& links = sentence.links;
    return sentence.kind == FailureKind::PARTITION || links.sources.IsAll() ||
           links.targets.IsAll() ||
           links.sources.Members().size() * links.targets.Members().size() > FEW_LINKS;
}

/// Whether two nodes are in different groups of a partition.
bool
Separates(const FailureEvent& sentence, NodeId source, NodeId target)
{
    for (const NodeSet& group : sentence.groups)
    {
        if (group.Contains(source))
        {
            return !group.Contains(target) &&
                   std::any_of(sentence.groups.begin(),
                               sentence.groups.end(),
                               [target](const NodeSet& other) { return other.Contains(target); });
        }
    }
    return false;
}

bool
Covers(const FailureEvent& sentence, NodeId source, NodeId target)
{
    return sentence.kind == FailureKind::PARTITION ? Separates(sentence, source, target)
                                                   : sentence.links.Covers(source, target);
}

void
Apply(const FailureEvent& sentence, LinkCondition& condition)
{
    switch (sentence.kind)
    {
    case FailureKind::LINK_DOWN:
    case FailureKind::PARTITION:
        condition.up = false;
        return;
    case FailureKind::LINK_LOSS:
        condition.lossProbability = EitherOf(condition.lossProbability, sentence.value);
        return;
    case FailureKind::LINK_DELAY:
        condition.delay = sentence.value;
        return;
    case FailureKind::LINK_RATE:
        condition.rate = sentence.value;
        return;
    case FailureKind::LINK_BURST:
        condition.burst = sentence.burst;
        return;
    default:
        return;
    }
}

} // namespace

FailureLinks::FailureLinks(const std::vector<FailureEvent>& sentences, std::size_t nodes)
    : m_sentences(sentences),
      m_places(sentences.size(), NOWHERE),
      m_concerned(nodes, 0)
{
}

FailureLinks::Link&
FailureLinks::At(NodeId source, NodeId target) const
{
    const std::uint64_t key = (static_cast<std::uint64_t>(source) << 32) | target;
    return m_links.try_emplace(key, Link{{}, NEVER, 0, {{}, NEVER}}).first->second;
}

void
FailureLinks::Change(std::size_t index, const std::optional<LinkId>& link, bool begins, double time)
{
    const FailureEvent& sentence = m_sentences[index];
    if (link.has_value())
    {
        ChangeLink(sentence, *link, begins, time);
        return;
    }
    if (IsWide(sentence))
    {
        ChangeWide(index, begins, time);
        return;
    }
    for (const NodeId source : sentence.links.sources.Members())
    {
        for (const NodeId target : sentence.links.targets.Members())
        {
            ChangeLink(sentence, {source, target}, begins, time);
            if (sentence.links.bothWays)
            {
                ChangeLink(sentence, {target, source}, begins, time);
            }
        }
    }
}

void
FailureLinks::ChangeLink(const FailureEvent& sentence, const LinkId& id, bool begins, double time)
{
    m_concerned[id.source] = 1;
    Link& link = At(id.source, id.target);
    link.version = 0;
    if (begins)
    {
        link.active.push_back(&sentence);
        return;
    }
    link.active.erase(std::find(link.active.begin(), link.active.end(), &sentence));
    if (IsDown(sentence))
    {
        link.downUntil = time;
    }
}

void
FailureLinks::ChangeWide(std::size_t index, bool begins, double time)
{
    ++m_version;
    if (m_places[index] == NOWHERE)
    {
        const FailureEvent& sentence = m_sentences[index];
        m_places[index] = m_wide.size();
        m_wide.push_back({&sentence, true, NEVER});
        Concern(sentence.links.sources);
        if (sentence.links.bothWays)
        {
            Concern(sentence.links.targets);
        }
        for (const NodeSet& group : sentence.groups)
        {
            Concern(group);
        }
    }
    Wide& wide = m_wide[m_places[index]];
    wide.active = begins;
    if (!begins)
    {
        wide.downUntil = time;
    }
}

void
FailureLinks::Concern(const NodeSet& sources)
{
    m_allConcerned = m_allConcerned || sources.IsAll();
    for (const NodeId source : sources.Members())
    {
        m_concerned[source] = 1;
    }
}

const FailureLinks::Summary&
FailureLinks::Look(NodeId source, NodeId target) const
{
    Link& link = At(source, target);
    if (link.version != m_version)
    {
        Summarise(source, target, link);
        link.version = m_version;
    }
    return link.summary;
}

void
FailureLinks::Summarise(NodeId source, NodeId target, Link& link) const
{
    m_scratch = link.active;
    link.summary = {LinkCondition(), link.downUntil};
    for (const Wide& wide : m_wide)
    {
        if (!Covers(*wide.sentence, source, target))
        {
            continue;
        }
        if (wide.active)
        {
            m_scratch.push_back(wide.sentence);
        }
        if (IsDown(*wide.sentence))
        {
            link.summary.downUntil = std::max(link.summary.downUntil, wide.downUntil);
        }
    }
    // Losses are multiplied in an order that is not that of the sentences.
    std::sort(m_scratch.begin(), m_scratch.end(), [](const FailureEvent* a, const FailureEvent* b) {
        return a->value < b->value;
    });
    for (const FailureEvent* sentence : m_scratch)
    {
        Apply(*sentence, link.summary.condition);
    }
}

} // namespace dpdl
