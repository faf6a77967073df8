// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/push-sum.h"

#include <algorithm>
#include <tuple>

// Splits, receives, mixes and loses the mass of one node. The policy for lost messages decides the
// fate of each lost share once.

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
    for (std::size_t first = 0; first < chunks; first += m_context.scatters ? 1 : chunks)
    {
        const Round drawn = m_context.GraphRound(round, first);
        for (const NodeId target : graph.OutNeighbours(m_node, drawn))
        {
            const double weight = graph.Weight(m_node, target, drawn);
            for (std::size_t chunk = first; chunk < (m_context.scatters ? first + 1 : chunks);
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
        // The kept mass is computed exactly like the mass of a share.
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
        m_context.observer->OnArrived(share, Arrival::LATE, at); // its mass was already counted as
                                                                 // lost
        return;
    }
    if (m_context.Lose(share, loss, at) == LostMass::BACK)
    {
        m_feedback([this, share] { TakeBack(share); });
        return;
    }
    m_copies.Lose(share);
}

void
PushSum::TakeBack(const Share& share)
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
    m_copies.Receive(share);
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
    if (!m_context.scatters)
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

void
PushSum::TakeInbox(Round round)
{
    const auto later =
        std::stable_partition(m_inbox.begin(), m_inbox.end(), [&](const Share& share) {
            return m_context.mixesEarly || share.round <= round;
        });
    m_used.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(later));
    m_inbox.erase(m_inbox.begin(), later);
    std::sort(m_used.begin(), m_used.end(), [](const Share& a, const Share& b) {
        return std::tie(a.chunk, a.source, a.round) < std::tie(b.chunk, b.source, b.round);
    });
}

/// Adds the compression residual of a chunk to the node's own terms; the last term is that of z.
/// The residual of a lie is dropped.
void
PushSum::KeepRest(std::size_t chunk, ScaledDouble total, std::vector<MixTerm>& terms) const
{
    const std::size_t own = terms.size() - 1;
    // Shares are ordered by target, then chunk, unless every chunk has separate targets.
    const std::size_t stride = m_context.scatters ? 1 : m_context.chunks.Count();
    for (std::size_t i = m_context.scatters ? 0 : chunk; i < m_outgoing.size(); i += stride)
    {
        const Share& share = m_outgoing[i];
        if (share.chunk != chunk || !share.isCompressed || share.isLie)
        {
            continue;
        }
        const double part = share.mass / total;
        terms[own].coefficient += part;
        if (terms.size() - 1 == own || terms.back().source != share.z)
        {
            terms.push_back({share.z, 0.0, terms[own].begin, terms[own].end});
        }
        terms.back().coefficient -= part;
    }
}

/// Appends the terms of received shares of a chunk (in m_used), after the term of the kept mass.
void
PushSum::AddShares(std::size_t first,
                   std::size_t end,
                   ScaledDouble total,
                   std::size_t own,
                   std::vector<MixTerm>& terms) const
{
    const bool isAverage = m_context.rule.IsAverage();
    for (std::size_t i = first; i < end; ++i)
    {
        const Share& share = m_used[i];
        const double part = share.mass / total;
        if (share.source == m_node && (!isAverage || share.isLie))
        {
            terms[own].coefficient += part;
        }
        else if (!isAverage && i > first && m_used[i - 1].source == share.source)
        {
            terms.back().source = share.z;
            terms.back().coefficient += part;
        }
        else
        {
            terms.push_back({share.z, part, terms[own].begin, terms[own].end, true});
        }
    }
}

void
PushSum::MixChunk(std::size_t chunk,
                  std::size_t& next,
                  const ParameterHandle& z,
                  const LateStep& step,
                  std::vector<MixTerm>& terms)
{
    const std::size_t first = next;
    const ScaledDouble kept = Weight(chunk);
    // Sums in ascending order of source, including this node: the order of every sum of masses.
    ScaledDouble total;
    bool keptIsIn = false;
    for (; next < m_used.size() && m_used[next].chunk == chunk; ++next)
    {
        const Share& share = m_used[next];
        if (!keptIsIn && share.source > m_node)
        {
            total += kept;
            keptIsIn = true;
        }
        total += share.mass;
        m_context.ledger->Take(share.mass, chunk);
    }
    total += keptIsIn ? ScaledDouble() : kept;
    m_context.ledger->SetWeight(m_node, total, chunk);
    if (m_context.PolicyOf(chunk) == LossPolicy::RENORMALISE)
    {
        m_context.ledger->Renormalise(m_node, chunk);
    }
    const std::size_t begin = m_context.chunks.Begin(chunk);
    const std::size_t end = m_context.chunks.End(chunk);
    // Without any mass, after a crash, the mean is undefined and the node keeps its z.
    const bool hasMass = !total.IsZero();
    const std::size_t own = terms.size();
    terms.push_back({z, hasMass ? kept / total : 1.0, begin, end});
    if (hasMass && m_context.compression.compressor)
    {
        KeepRest(chunk, total, terms);
    }
    AddShares(first, hasMass ? next : first, total, own, terms);
    if (step.increment)
    {
        const ScaledDouble weight = Weight(chunk);
        const bool isScaled = step.isPlain && !weight.IsZero();
        terms.push_back({step.increment, isScaled ? ScaledDouble(1.0) / weight : 1.0, begin, end});
    }
}

void
PushSum::Mix(Round round,
             const ParameterHandle& z,
             const LateStep& step,
             double now,
             std::vector<MixTerm>& terms)
{
    TakeInbox(round);
    const ScaledDouble kept = Weight(0);
    std::size_t next = 0;
    for (std::size_t chunk = 0; chunk < m_context.chunks.Count(); ++chunk)
    {
        MixChunk(chunk, next, z, step, terms);
    }
    if (m_context.chunks.Parameters() < z->Size())
    {
        // Local parameters, which are not shared.
        terms.push_back({z, 1.0, m_context.chunks.Parameters()});
        if (step.increment)
        {
            terms.push_back({step.increment, 1.0, m_context.chunks.Parameters()});
        }
    }
    m_context.observer->OnMixed(m_node, round, kept, m_used, now);
    // Releases handles that are no longer needed, so their vectors can be reused.
    m_used.clear();
    m_outgoing.clear();
    if (round >= m_context.staleness)
    {
        m_heard.erase(m_heard.begin(), m_heard.upper_bound(round - m_context.staleness));
    }
}

void
PushSum::LoseInbox()
{
    // In reverse, because a link takes back its latest share first.
    for (auto share = m_inbox.rbegin(); share != m_inbox.rend(); ++share)
    {
        if (m_context.PolicyOf(share->chunk) == LossPolicy::RUNNING_SUM)
        {
            m_context.observer->OnForgotten(*share, LostMass::OWED);
            m_context.LinkOf(*share).PutBack(*share);
        }
        else
        {
            Forget(*share);
        }
    }
    m_inbox.clear();
}

void
PushSum::LoseWeight()
{
    m_copies.ForgetReceived();
    m_context.ledger->LoseWeight(m_node);
    m_outgoing.clear();
}

} // namespace dpdl
