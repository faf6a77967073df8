// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-state.h"

#include "failure-links.h"
#include "failure-nodes.h"
#include "failure-process.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace dpdl
{

namespace
{

/// Times nearer than this are equal: half a nanosecond.
constexpr double RESOLUTION = 0.5e-9;

bool
ConcernsLinks(FailureKind kind)
{
    return kind <= FailureKind::LINK_BURST || kind == FailureKind::PARTITION;
}

bool
ConcernsNodes(FailureKind kind)
{
    return kind == FailureKind::NODE_PAUSE || kind == FailureKind::NODE_CRASH ||
           kind == FailureKind::NODE_SLOW;
}

} // namespace

/// What the state consists of.
class FailureState::Impl
{
  public:
    Impl(std::vector<FailureEvent> given, std::size_t count)
        : sentences(std::move(given)),
          links(sentences, count),
          nodes(sentences, count)
    {
    }

    void AddProcesses(std::size_t index,
                      std::size_t count,
                      RandomSeed seed,
                      const std::vector<LinkId>& used);
    void Add(std::size_t index, const FailureProcess::Member& member, RandomSeed seed);

    /// Applies the change that comes next.
    void Step();

    /// Orders processes by their next changes, the first one on top.
    struct Later
    {
        bool operator()(const FailureProcess& a, const FailureProcess& b) const
        {
            return a.Order() > b.Order();
        }
    };

    std::vector<FailureEvent> sentences; ///< all
    FailureLinks links;                  ///< what fails of links
    FailureNodes nodes;                  ///< what fails of nodes
    std::vector<FailureChange> changes;  ///< of the last call
    std::priority_queue<FailureProcess, std::vector<FailureProcess>, Later> processes; ///< to come
};

void
FailureState::Impl::Add(std::size_t index, const FailureProcess::Member& member, RandomSeed seed)
{
    FailureProcess process(sentences, index, member, seed);
    if (process.Time() < std::numeric_limits<double>::infinity())
    {
        processes.push(std::move(process));
    }
}

void
FailureState::Impl::AddProcesses(std::size_t index,
                                 std::size_t count,
                                 RandomSeed seed,
                                 const std::vector<LinkId>& used)
{
    const FailureEvent& sentence = sentences[index];
    if (sentence.timing.together)
    {
        Add(index, {}, seed);
    }
    else if (ConcernsNodes(sentence.kind))
    {
        sentence.nodes.ForEach(count, [&](NodeId node) { Add(index, {std::nullopt, node}, seed); });
    }
    else
    {
        for (const LinkId& link : used)
        {
            if (sentence.links.Covers(link.source, link.target))
            {
                Add(index, {link, std::nullopt}, seed);
            }
        }
    }
}

void
FailureState::Impl::Step()
{
    FailureProcess process = processes.top();
    processes.pop();
    const FailureEvent& sentence = sentences[process.Index()];
    const FailureProcess::Member& part = process.Part();
    changes.push_back({process.Time(), process.Begins(), &sentence, part.link, part.node});
    if (ConcernsLinks(sentence.kind))
    {
        links.Change(process.Index(), part.link, process.Begins(), process.Time());
    }
    else
    {
        nodes.Change(process.Index(), part.node, process.Begins(), process.Time(), changes);
    }
    process.Step();
    if (process.Time() < std::numeric_limits<double>::infinity())
    {
        processes.push(std::move(process));
    }
}

FailureState::FailureState(std::vector<FailureEvent> sentences,
                           std::size_t nodes,
                           RandomSeed seed,
                           const std::vector<LinkId>& links)
    : m_impl(std::make_unique<Impl>(std::move(sentences), nodes))
{
    for (std::size_t index = 0; index < m_impl->sentences.size(); ++index)
    {
        m_impl->AddProcesses(index, nodes, seed, links);
    }
}

FailureState::~FailureState() = default;

void
FailureState::SetPositions(PositionOf positions)
{
    m_impl->nodes.SetPositions(std::move(positions));
}

double
FailureState::NextChange() const
{
    return m_impl->processes.empty() ? std::numeric_limits<double>::infinity()
                                     : m_impl->processes.top().Time();
}

const std::vector<FailureChange>&
FailureState::AdvanceTo(double time)
{
    m_impl->changes.clear();
    while (NextChange() <= time + RESOLUTION)
    {
        m_impl->Step();
    }
    return m_impl->changes;
}

bool
FailureState::FollowsPositions() const
{
    return m_impl->nodes.HasCircle();
}

const std::vector<FailureChange>&
FailureState::Follow(double time)
{
    m_impl->changes.clear();
    m_impl->nodes.Follow(time, m_impl->changes);
    return m_impl->changes;
}

LinkCondition
FailureState::Link(NodeId source, NodeId target) const
{
    LinkCondition condition;
    if (const FailureLinks::Summary* summary = m_impl->links.Find(source, target))
    {
        condition = summary->condition;
    }
    condition.up = condition.up && !m_impl->nodes.IsCut(source) && !m_impl->nodes.IsCut(target);
    condition.lossProbability = EitherOf(condition.lossProbability, m_impl->nodes.JamLoss(target));
    return condition;
}

bool
FailureState::WasDown(NodeId source, NodeId target, double since) const
{
    const FailureNodes& nodes = m_impl->nodes;
    const double after = since + RESOLUTION;
    if (nodes.IsCut(source) || nodes.IsCut(target) || nodes.CutUntil(source) > after ||
        nodes.CutUntil(target) > after)
    {
        return true;
    }
    const FailureLinks::Summary* summary = m_impl->links.Find(source, target);
    return summary != nullptr && (!summary->condition.up || summary->downUntil > after);
}

NodeCondition
FailureState::Node(NodeId node) const
{
    return m_impl->nodes.At(node);
}

bool
FailureState::AwaitsNodes() const
{
    return m_impl->nodes.StandStills() > 0;
}

bool
FailureState::IsGone(NodeId node) const
{
    return m_impl->nodes.IsGone(node);
}

} // namespace dpdl
