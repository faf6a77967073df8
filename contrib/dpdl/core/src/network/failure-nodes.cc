// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-nodes.h"

#include "dpdl/base/errors.h"
#include "failure-links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace dpdl
{

namespace
{

bool
IsCircle(const FailureEvent& sentence)
{
    return sentence.kind == FailureKind::REGION || sentence.kind == FailureKind::JAM;
}

} // namespace

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

void
RequirePositions(const std::vector<FailureEvent>& sentences,
                 std::size_t nodes,
                 const FailureState::PositionOf& positions)
{
    const auto first = std::find_if(sentences.begin(), sentences.end(), IsCircle);
    for (NodeId node = 0; first != sentences.end() && node < nodes; ++node)
    {
        if (!positions || !positions(node).has_value())
        {
            throw UsageError(first->place + ": '" + first->text +
                             "' needs the positions of all nodes, and node " +
                             std::to_string(node) +
                             " has none; expected nodes with a mobility model, or a topology that "
                             "places them");
        }
    }
}

} // namespace dpdl
