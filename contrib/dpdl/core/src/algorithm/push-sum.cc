// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/push-sum.h"

#include <algorithm>

// Splits and receives the push-sum mass of one node, and applies the policy for lost messages, once
// for each lost share. push-sum-mix.cc has the mixing.

namespace dpdl
{

RunningSumLink&
PushSumContext::LinkOf(const Share& share)
{
    std::vector<RunningSumLink>& chunksOfLink = links[{share.source, share.target}];
    if (chunksOfLink.empty())
    {
        chunksOfLink.resize(chunks.Count());
    }
    return chunksOfLink[share.chunk];
}

PushSum::PushSum(NodeId node, PushSumContext& context, Round rounds)
    : m_node(node),
      m_context(context),
      m_rounds(rounds),
      m_copies(context.initial)
{
}

std::vector<CompressedState>
PushSum::PrepareMessages(Round round, ParameterPool& pool) const
{
    std::vector<CompressedState> messages;
    if (!m_context.compression.compressor || round >= m_rounds)
    {
        return messages;
    }
    if (!m_context.compression.ofDifferences)
    {
        messages.push_back({{}, pool.Acquire()});
        return messages;
    }
    for (ParameterHandle& reference :
         m_copies.References(m_context.graph->OutNeighbours(m_node, round)))
    {
        messages.push_back({std::move(reference), pool.Acquire()});
    }
    return messages;
}

const std::vector<Share>&
PushSum::Split(Round round,
               const ParameterHandle& z,
               const std::vector<CompressedState>& compressed,
               double now,
               bool isLie)
{
    const std::size_t chunks = m_context.chunks.Count();
    const GraphSequence& graph = *m_context.graph;
    m_outgoing.clear();
    for (std::size_t first = 0; first < chunks; first += m_context.chunksHaveOwnLinks ? 1 : chunks)
    {
        const Round drawn = m_context.GraphRound(round, first);
        for (const NodeId target : graph.OutNeighbours(m_node, drawn))
        {
            const double weight = graph.Weight(m_node, target, drawn);
            for (std::size_t chunk = first;
                 chunk < (m_context.chunksHaveOwnLinks ? first + 1 : chunks);
                 ++chunk)
            {
                Share share{m_node, target, round, weight, Weight(chunk) * weight, z, 0};
                share.chunk = static_cast<std::uint16_t>(chunk);
                share.isLie = isLie;
                Give(std::move(share), compressed, now);
            }
        }
    }
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    {
        // The mass that the node keeps is computed by the same formula as the mass of a share.
        const double kept = graph.Weight(m_node, m_node, m_context.GraphRound(round, chunk));
        m_context.ledger->SetWeight(m_node, Weight(chunk) * kept, chunk);
    }
    return m_outgoing;
}

void
PushSum::Give(Share share, const std::vector<CompressedState>& compressed, double now)
{
    share.sentAt = now;
    if (m_context.compression.ofDifferences)
    {
        m_copies.Send(share, compressed);
    }
    else if (!compressed.empty())
    {
        share.z = compressed.front().sent;
        share.isCompressed = true;
    }
    m_context.ledger->Send(share.mass, share.chunk);
    if (share.isLie)
    {
        m_context.ledger->Lie(share.mass, share.chunk);
    }
    share.record = m_context.observer->OnSent(share, now);
    const bool isElsewhere = m_context.isElsewhere && m_context.isElsewhere(share.target);
    if (m_context.PolicyOf(share.chunk) == LossPolicy::RUNNING_SUM && !isElsewhere)
    {
        m_context.LinkOf(share).Push(share);
    }
    m_outgoing.push_back(std::move(share));
}

LostMass
PushSumContext::Lose(const Share& share, const MessageLoss& loss, double at)
{
    LostMass mass = LostMass::GONE;
    switch (PolicyOf(share.chunk))
    {
    case LossPolicy::NONE:
    case LossPolicy::RELIABLE:
    case LossPolicy::RENORMALISE:
        ledger->Lose(share.mass, share.chunk);
        break;
    case LossPolicy::RUNNING_SUM:
        mass = LostMass::OWED;
        break;
    case LossPolicy::REFUND:
        mass = LostMass::BACK;
        break;
    }
    observer->OnLost(share, loss, mass, at);
    return mass;
}

void
PushSum::Lose(const Share& share, const MessageLoss& loss, double at)
{
    if (loss.reason == DropReason::LATE)
    {
        m_context.observer->OnArrived(share, Arrival::LATE, at); // the mass already counts as lost
        return;
    }
    if (m_context.Lose(share, loss, at) == LostMass::BACK)
    {
        m_feedback([this, share] { Refund(share); });
        return;
    }
    m_copies.Lose(share);
}

void
PushSum::Refund(const Share& share)
{
    m_copies.Lose(share);
    if (share.sentAt <= m_forgottenUntil)
    {
        Forget(share);
        return;
    }
    m_inbox.push_back(share);
}

void
PushSum::Forget(const Share& share)
{
    m_context.ledger->Lose(share.mass, share.chunk);
    m_context.observer->OnForgotten(share, LostMass::GONE);
}

bool
PushSum::IsFirstCopy(const Share& share)
{
    if (share.round >= m_rounds)
    {
        return true;
    }
    std::vector<bool>& arrived = m_arrived[share.source];
    const std::size_t index = share.round * m_context.chunks.Count() + share.chunk;
    if (arrived.size() <= index)
    {
        arrived.resize((share.round + 1) * m_context.chunks.Count(), false);
    }
    const bool first = !arrived[index];
    arrived[index] = true;
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
    if (m_context.compression.ofDifferences)
    {
        m_copies.Receive(share);
    }
    Arrival arrival = share.round < current ? Arrival::LATE : Arrival::ON_TIME;
    if (m_context.PolicyOf(share.chunk) == LossPolicy::RUNNING_SUM)
    {
        if (!m_context.LinkOf(share).Take(share.round, m_inbox))
        {
            arrival = Arrival::OVERTAKEN;
        }
    }
    else
    {
        m_inbox.push_back(share);
    }
    if (share.round + m_context.staleness >= current && share.round < m_rounds)
    {
        ++m_heard[share.round];
    }
    m_context.observer->OnArrived(share, arrival, now);
}

bool
PushSum::ReceiveDamaged(const Share& share, double now)
{
    const bool first = IsFirstCopy(share);
    if (!first)
    {
        m_context.observer->OnArrived(share, Arrival::DUPLICATE, now);
    }
    return first;
}

bool
PushSum::HeardAll(Round round) const
{
    if (round < m_context.staleness)
    {
        return true;
    }
    return HeardAllOf(round - m_context.staleness);
}

bool
PushSum::HeardAllOf(Round round) const
{
    const auto heard = m_heard.find(round);
    const std::size_t count = heard == m_heard.end() ? 0 : heard->second;
    return count == Expected(round);
}

std::size_t
PushSum::Expected(Round round) const
{
    const std::size_t chunks = m_context.chunks.Count();
    if (!m_context.chunksHaveOwnLinks)
    {
        return m_context.graph->InNeighbours(m_node, round).size() * chunks;
    }
    std::size_t expected = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    {
        const Round drawn = m_context.GraphRound(round, chunk);
        expected += m_context.graph->InNeighbours(m_node, drawn).size();
    }
    return expected;
}

bool
PushSum::HasArrived(NodeId source, std::size_t index) const
{
    const auto arrived = m_arrived.find(source);
    return arrived != m_arrived.end() && index < arrived->second.size() && arrived->second[index];
}

std::vector<NodeId>
PushSum::Missing(Round round) const
{
    std::vector<NodeId> missing;
    if (HeardAll(round))
    {
        return missing;
    }
    const Round awaited = round - m_context.staleness;
    const std::size_t chunks = m_context.chunks.Count();
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    {
        const Round drawn = m_context.GraphRound(awaited, chunk);
        for (const NodeId source : m_context.graph->InNeighbours(m_node, drawn))
        {
            if (!HasArrived(source, awaited * chunks + chunk))
            {
                missing.push_back(source);
            }
        }
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    return missing;
}

} // namespace dpdl
