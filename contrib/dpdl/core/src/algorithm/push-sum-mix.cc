// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/push-sum.h"

#include <algorithm>
#include <tuple>

// Mixing of PushSum: computes the coefficients of the received shares.

namespace dpdl
{

void
PushSum::TakeInbox(Round round)
{
    const auto later =
        std::stable_partition(m_inbox.begin(), m_inbox.end(), [&](const Share& share) {
            return m_context.mixesFutureShares || share.round <= round;
        });
    m_used.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(later));
    m_inbox.erase(m_inbox.begin(), later);
    std::sort(m_used.begin(), m_used.end(), [](const Share& a, const Share& b) {
        return std::tie(a.chunk, a.source, a.round) < std::tie(b.chunk, b.source, b.round);
    });
    // If each chunk is sent over separate links, shares of several rounds of a sender may have
    // arrived for one chunk. Only the newest is mixed: the receiver's mean counts each sender once.
    // Forget() records the mass of an older share as permanently lost.
    for (std::size_t i = 1; i < m_used.size() && m_context.chunksHaveOwnLinks; ++i)
    {
        if (m_used[i].chunk == m_used[i - 1].chunk && m_used[i].source == m_used[i - 1].source)
        {
            Forget(m_used[i - 1]);
            m_used.erase(m_used.begin() + static_cast<std::ptrdiff_t>(--i));
        }
    }
}

/// Adds back to the new z what compression left out of the sent shares of a chunk: (z - sent
/// vector) * mass / total for each share. Shares of a Byzantine attack are skipped.
/// @param total mass of the chunk after mixing
/// @param[in,out] terms summands of the new z; the last one is the node's z
void
PushSum::AddResidual(std::size_t chunk, ScaledDouble total, std::vector<MixTerm>& terms) const
{
    const std::size_t own = terms.size() - 1;
    // Shares in m_outgoing are ordered by target, then by chunk, unless every chunk has separate
    // targets.
    const std::size_t stride = m_context.chunksHaveOwnLinks ? 1 : m_context.chunks.Count();
    for (std::size_t i = m_context.chunksHaveOwnLinks ? 0 : chunk; i < m_outgoing.size();
         i += stride)
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

/// Appends to @p terms the summands of a chunk, from its received shares m_used[first, end).
/// @param total mass of the chunk after mixing
/// @param own index in @p terms of the summand of the node's z
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
    // Masses are summed in ascending order of source, and the node is one of the sources. So
    // rounding errors do not depend on the order of arrival.
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
    // Without any mass, as after a crash, the mean is undefined, and the node keeps its z.
    const bool hasMass = !total.IsZero();
    const std::size_t own = terms.size();
    terms.push_back({z, hasMass ? kept / total : 1.0, begin, end});
    if (hasMass && m_context.compression.compressor)
    {
        AddResidual(chunk, total, terms);
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
        // Parameters after the last chunk are not shared, so the node keeps its values.
        terms.push_back({z, 1.0, m_context.chunks.Parameters()});
        if (step.increment)
        {
            terms.push_back({step.increment, 1.0, m_context.chunks.Parameters()});
        }
    }
    m_context.observer->OnMixed(m_node, round, kept, m_used, now);
    // Release handles to received and sent shares, so their vectors can be reused.
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
    // The loop runs in reverse, because a link must get back its latest share first.
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
