// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

FailureNodes::FailureNodes(const std::vector<FailureEvent>& sentences, std::size_t nodes)
    : m_sentences(sentences),
      m_nodes(nodes)
{
    for (State& node : m_nodes)
    {
        node.cutUntil = -std::numeric_limits<double>::infinity();
    }
}

void
FailureNodes::SetPositions(FailureState::PositionOf positions)
{
    m_positions = std::move(positions);
}

void
FailureNodes::Change(std::size_t index,
                     const std::optional<NodeId>& node,
                     bool begins,
                     double time,
                     std::vector<FailureChange>& changes)
{
    const FailureEvent& sentence = m_sentences[index];
    if (IsCircle(sentence))
    {
        auto& circle = *m_circles.try_emplace(index, m_nodes.size(), 0).first;
        if (begins)
        {
            LookInto(circle, time, changes);
            return;
        }
        for (NodeId i = 0; i < m_nodes.size(); ++i)
        {
            Move(circle, i, false, time, changes);
        }
        m_circles.erase(index);
        return;
    }
    if (node.has_value())
    {
        ChangeNode(sentence, *node, begins, time);
        return;
    }
    sentence.nodes.ForEach(m_nodes.size(),
                           [&](NodeId i) { ChangeNode(sentence, i, begins, time); });
}

void
FailureNodes::ChangeNode(const FailureEvent& sentence, NodeId node, bool begins, double time)
{
    State& state = m_nodes[node];
    if (sentence.kind == FailureKind::NODE_SLOW)
    {
        state.slowdown = begins ? sentence.value : 1.0;
        return;
    }
    const bool crash = sentence.kind == FailureKind::NODE_CRASH;
    std::uint32_t& count = crash ? state.crashes : state.pauses;
    count += begins ? 1U : -1U;
    const bool ends = sentence.timing.pattern != FailureTiming::Pattern::ONCE ||
                      std::isfinite(sentence.timing.end);
    if (ends)
    {
        m_standStills += begins ? std::size_t{1} : -std::size_t{1};
    }
    if (crash)
    {
        Cut(node, begins, time);
        state.gone = !ends;
    }
}

void
FailureNodes::Cut(NodeId node, bool begins, double time)
{
    State& state = m_nodes[node];
    state.cuts += begins ? 1U : -1U;
    if (!begins)
    {
        state.cutUntil = time;
    }
}

void
FailureNodes::Follow(double time, std::vector<FailureChange>& changes)
{
    for (auto& circle : m_circles)
    {
        LookInto(circle, time, changes);
    }
}

void
FailureNodes::LookInto(Circles::value_type& circle,
                       double time,
                       std::vector<FailureChange>& changes)
{
    const FailureEvent& sentence = m_sentences[circle.first];
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        const std::optional<Position> place = m_positions ? m_positions(node) : std::nullopt;
        const bool within =
            place.has_value() && std::hypot(place->x - sentence.center.x,
                                            place->y - sentence.center.y) <= sentence.radius;
        Move(circle, node, within, time, changes);
    }
}

void
FailureNodes::Move(Circles::value_type& circle,
                   NodeId node,
                   bool within,
                   double time,
                   std::vector<FailureChange>& changes)
{
    char& was = circle.second[node];
    if ((was != 0) == within)
    {
        return;
    }
    was = within ? 1 : 0;
    const FailureEvent& sentence = m_sentences[circle.first];
    changes.push_back({time, within, &sentence, std::nullopt, node});
    if (sentence.kind == FailureKind::REGION)
    {
        Cut(node, within, time);
    }
    else
    {
        SumUpJams(node);
    }
}

void
FailureNodes::SumUpJams(NodeId node)
{
    m_nodes[node].jamLoss = 0.0;
    for (const auto& [index, within] : m_circles)
    {
        const FailureEvent& sentence = m_sentences[index];
        if (sentence.kind == FailureKind::JAM && within[node] != 0)
        {
            m_nodes[node].jamLoss = EitherOf(m_nodes[node].jamLoss, sentence.value);
        }
    }
}

NodeCondition
FailureNodes::At(NodeId node) const
{
    const State& state = m_nodes[node];
    return {state.crashes == 0, state.pauses > 0, state.slowdown};
}

} // namespace dpdl
