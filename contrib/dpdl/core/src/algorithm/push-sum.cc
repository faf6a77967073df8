// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/push-sum.h"

#include <algorithm>
#include <tuple>

namespace dpdl
{

PushSum::PushSum(NodeId node, PushSumContext& context, Round rounds)
    : m_node(node),
      m_context(context),
      m_rounds(rounds)
{
}

const std::vector<Share>&
PushSum::Split(Round round, const ParameterHandle& z, double now)
{
    const double weight = m_context.graph->OutWeight(m_node, round);
    const ScaledDouble mass = Weight() * weight;
    m_outgoing.clear();
    for (const NodeId target : m_context.graph->OutNeighbours(m_node, round))
    {
        Share share{m_node, target, round, weight, mass, z, 0};
        m_context.ledger->Send(mass);
        share.record = m_context.observer->OnSent(share, now);
        if (m_context.lossPolicy == LossPolicy::RUNNING_SUM)
        {
            m_context.links[{m_node, target}].Push(share);
        }
        m_outgoing.push_back(std::move(share));
    }
    // What the node keeps is a share like the others, to the last bit.
    m_context.ledger->SetWeight(m_node, mass);
    return m_outgoing;
}

void
PushSum::Lose(const Share& share, LossCause cause, double at)
{
    const bool isOwed = m_context.lossPolicy == LossPolicy::RUNNING_SUM;
    if (!isOwed)
    {
        m_context.ledger->Lose(share.mass);
    }
    m_context.observer->OnLost(share, cause, isOwed ? LostMass::OWED : LostMass::GONE, at);
}

bool
PushSum::IsFirstCopy(const Share& share)
{
    if (share.round >= m_rounds)
    {
        return true;
    }
    std::vector<bool>& rounds = m_arrived[share.source];
    if (rounds.size() <= share.round)
    {
        rounds.resize(share.round + 1, false);
    }
    const bool first = !rounds[share.round];
    rounds[share.round] = true;
    return first;
}

void
PushSum::Receive(const Share& share, Round current, double now)
{
    if (!IsFirstCopy(share))
    {
        m_context.observer->OnArrived(share, Arrival::DUPLICATE, now);
        return;
    }
    Arrival arrival = share.round < current ? Arrival::LATE : Arrival::ON_TIME;
    if (m_context.lossPolicy == LossPolicy::RUNNING_SUM)
    {
        const std::vector<Share> taken =
            m_context.links[{share.source, share.target}].Take(share.round);
        if (taken.empty())
        {
            arrival = Arrival::OVERTAKEN;
        }
        m_inbox.insert(m_inbox.end(), taken.begin(), taken.end());
    }
    else
    {
        m_inbox.push_back(share);
    }
    if (share.round >= current && share.round < m_rounds)
    {
        ++m_heard[share.round];
    }
    m_context.observer->OnArrived(share, arrival, now);
}

bool
PushSum::ReceiveDamaged(const Share& share)
{
    return IsFirstCopy(share);
}

bool
PushSum::HeardAll(Round round) const
{
    const auto heard = m_heard.find(round);
    const std::size_t count = heard == m_heard.end() ? 0 : heard->second;
    return count == m_context.graph->InNeighbours(m_node, round).size();
}

void
PushSum::TakeInbox(Round round)
{
    const auto later =
        std::stable_partition(m_inbox.begin(), m_inbox.end(), [round](const Share& share) {
            return share.round <= round;
        });
    m_used.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(later));
    m_inbox.erase(m_inbox.begin(), later);
    std::sort(m_used.begin(), m_used.end(), [](const Share& a, const Share& b) {
        return std::tie(a.source, a.round) < std::tie(b.source, b.round);
    });
}

ScaledDouble
PushSum::TakeUsed(ScaledDouble kept)
{
    // Ascending order of source, the node itself included: the order of every other sum of masses.
    ScaledDouble total;
    bool keptIsIn = false;
    for (const Share& share : m_used)
    {
        if (!keptIsIn && share.source > m_node)
        {
            total += kept;
            keptIsIn = true;
        }
        total += share.mass;
        m_context.ledger->Take(share.mass);
    }
    return total += keptIsIn ? ScaledDouble() : kept;
}

void
PushSum::Mix(Round round, const ParameterHandle& z, double now, std::vector<MixTerm>& terms)
{
    TakeInbox(round);
    const ScaledDouble kept = Weight();
    const ScaledDouble total = TakeUsed(kept);
    m_context.ledger->SetWeight(m_node, total);
    // Without any mass, after a crash, there is no mean: the node stays where it is.
    const bool hasMass = !total.IsZero();
    terms.push_back({z, hasMass ? kept / total : 1.0});
    for (std::size_t i = 0; hasMass && i < m_used.size(); ++i)
    {
        terms.push_back({m_used[i].z, m_used[i].mass / total});
    }
    m_context.observer->OnMixed(m_node, round, kept, m_used, now);
    // Handles that are not needed any more keep vectors from being used again.
    m_used.clear();
    m_outgoing.clear();
    m_heard.erase(m_heard.begin(), m_heard.upper_bound(round));
}

void
PushSum::LoseInbox()
{
    const bool isOwed = m_context.lossPolicy == LossPolicy::RUNNING_SUM;
    // Backwards, because a link takes back its latest share first.
    for (auto share = m_inbox.rbegin(); share != m_inbox.rend(); ++share)
    {
        m_context.observer->OnForgotten(*share, isOwed ? LostMass::OWED : LostMass::GONE);
        if (isOwed)
        {
            m_context.links[{share->source, share->target}].PutBack(*share);
        }
        else
        {
            m_context.ledger->Lose(share->mass);
        }
    }
    m_inbox.clear();
}

void
PushSum::LoseWeight()
{
    m_context.ledger->LoseWeight(m_node);
    m_outgoing.clear();
}

} // namespace dpdl
