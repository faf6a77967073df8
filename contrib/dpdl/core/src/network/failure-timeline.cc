// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-timeline.h"

#include <algorithm>
#include <cmath>

// Failures of at most FEW_LINKS links are stored with each link. All other failures are stored in
// one list. A version number marks the cached state of a link as outdated when the list changes.

namespace dpdl
{

namespace
{

constexpr double NEVER = -std::numeric_limits<double>::infinity();
constexpr std::size_t NOWHERE = std::numeric_limits<std::size_t>::max();

/// A failure with at most this product of the numbers of sources and targets is stored with each
/// link. Failures with a larger product, failures of all sources or all targets, and partitions are
/// stored once.
constexpr std::size_t FEW_LINKS = 16;

bool
IsDown(const FailureEvent& event)
{
    return event.kind == FailureKind::LINK_DOWN || event.kind == FailureKind::PARTITION;
}

bool
IsWide(const FailureEvent& event)
{
    const LinkSet& links = event.links;
    return event.kind == FailureKind::PARTITION || links.sources.IsAll() || links.targets.IsAll() ||
           links.sources.Members().size() * links.targets.Members().size() > FEW_LINKS;
}

/// True if two nodes are in different groups of a partition. A node outside all groups is not
/// separated.
bool
Separates(const FailureEvent& event, NodeId source, NodeId target)
{
    for (const NodeSet& group : event.groups)
    {
        if (group.Contains(source))
        {
            return !group.Contains(target) &&
                   std::any_of(event.groups.begin(),
                               event.groups.end(),
                               [target](const NodeSet& other) { return other.Contains(target); });
        }
    }
    return false;
}

bool
Covers(const FailureEvent& event, NodeId source, NodeId target)
{
    return event.kind == FailureKind::PARTITION ? Separates(event, source, target)
                                                : event.links.Covers(source, target);
}

void
Apply(const FailureEvent& event, LinkCondition& condition)
{
    switch (event.kind)
    {
    case FailureKind::LINK_DOWN:
    case FailureKind::PARTITION:
        condition.up = false;
        return;
    case FailureKind::LINK_LOSS:
        condition.lossProbability = EitherOf(condition.lossProbability, event.value);
        return;
    case FailureKind::LINK_DELAY:
        condition.delay = event.value;
        return;
    case FailureKind::LINK_RATE:
        condition.rate = event.value;
        return;
    case FailureKind::LINK_BURST:
        condition.burst = event.burst;
        return;
    default:
        return;
    }
}

} // namespace

FailureLinks::FailureLinks(const std::vector<FailureEvent>& events, std::size_t nodes)
    : m_events(events),
      m_places(events.size(), NOWHERE),
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
    const FailureEvent& event = m_events[index];
    if (link.has_value())
    {
        ChangeLink(event, *link, begins, time);
        return;
    }
    if (IsWide(event))
    {
        ChangeWide(index, begins, time);
        return;
    }
    const LinkSet& links = event.links;
    for (const NodeId source : links.sources.Members())
    {
        for (const NodeId target : links.targets.Members())
        {
            ChangeLink(event, {source, target}, begins, time);
            // If both nodes are in both sets, the loops also visit the pair in the opposite order,
            // so the opposite link is not changed here.
            if (links.bothWays &&
                !(links.sources.Contains(target) && links.targets.Contains(source)))
            {
                ChangeLink(event, {target, source}, begins, time);
            }
        }
    }
}

void
FailureLinks::ChangeLink(const FailureEvent& event, const LinkId& id, bool begins, double time)
{
    m_concerned[id.source] = 1;
    Link& link = At(id.source, id.target);
    link.version = 0;
    if (begins)
    {
        link.active.push_back(&event);
        return;
    }
    link.active.erase(std::find(link.active.begin(), link.active.end(), &event));
    if (IsDown(event))
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
        const FailureEvent& event = m_events[index];
        m_places[index] = m_wide.size();
        m_wide.push_back({&event, true, NEVER});
        Concern(event.links.sources);
        if (event.links.bothWays)
        {
            Concern(event.links.targets);
        }
        for (const NodeSet& group : event.groups)
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
        if (!Covers(*wide.event, source, target))
        {
            continue;
        }
        if (wide.active)
        {
            m_scratch.push_back(wide.event);
        }
        if (IsDown(*wide.event))
        {
            link.summary.downUntil = std::max(link.summary.downUntil, wide.downUntil);
        }
    }
    // Sorts the failures, because their order determines the rounding of combined loss
    // probabilities.
    std::sort(m_scratch.begin(), m_scratch.end(), [](const FailureEvent* a, const FailureEvent* b) {
        return a->value < b->value;
    });
    for (const FailureEvent* event : m_scratch)
    {
        Apply(*event, link.summary.condition);
    }
}

FailureNodes::FailureNodes(const std::vector<FailureEvent>& events, std::size_t nodes)
    : m_events(events),
      m_nodes(nodes)
{
}

void
FailureNodes::Change(std::size_t index,
                     const std::optional<NodeId>& node,
                     bool begins,
                     double time,
                     std::vector<FailureChange>& changes)
{
    const FailureEvent& event = m_events[index];
    if (event.IsOfCircle())
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
        ChangeNode(event, *node, begins, time);
        return;
    }
    event.nodes.ForEach(m_nodes.size(), [&](NodeId i) { ChangeNode(event, i, begins, time); });
}

void
FailureNodes::ChangeNode(const FailureEvent& event, NodeId node, bool begins, double time)
{
    State& state = m_nodes[node];
    if (event.kind == FailureKind::NODE_LEAK)
    {
        return; // a leak of secrets does not change the node's behaviour
    }
    if (event.kind == FailureKind::NODE_SLOW)
    {
        state.slowdown = begins ? event.value : 1.0;
        return;
    }
    if (event.kind == FailureKind::NODE_LIE)
    {
        state.lie = begins ? event.lie : Lie();
        return;
    }
    const bool crash = event.kind == FailureKind::NODE_CRASH;
    std::uint32_t& count = crash ? state.crashes : state.pauses;
    count += begins ? 1U : -1U;
    const bool ends =
        event.timing.pattern != FailureTiming::Pattern::ONCE || std::isfinite(event.timing.end);
    if (ends)
    {
        m_standStills += begins ? std::size_t{1} : -std::size_t{1};
    }
    if (crash)
    {
        Cut(node, begins, time);
        state.gone = state.gone || !ends;
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
    const FailureEvent& event = m_events[circle.first];
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        const std::optional<Position> place = m_positions ? m_positions(node) : std::nullopt;
        const bool within = place.has_value() && event.Holds(*place);
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
    const FailureEvent& event = m_events[circle.first];
    changes.push_back({time, within, &event, std::nullopt, node});
    if (event.kind == FailureKind::REGION)
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
        const FailureEvent& event = m_events[index];
        if (event.kind == FailureKind::JAM && within[node] != 0)
        {
            m_nodes[node].jamLoss = EitherOf(m_nodes[node].jamLoss, event.value);
        }
    }
}

NodeCondition
FailureNodes::At(NodeId node) const
{
    const State& state = m_nodes[node];
    return {state.crashes == 0, state.pauses > 0, state.slowdown, state.lie};
}

} // namespace dpdl
