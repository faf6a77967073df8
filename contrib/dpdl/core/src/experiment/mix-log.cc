// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/mix-log.h"

#include <algorithm>

namespace dpdl
{

MixLog::MixLog(const ResolvedRun& run,
               const LearnerContext& context,
               TraceStore& store,
               ValidityMonitor& validity)
    : m_context(context),
      m_nodes(run.nodes),
      m_mixed(run.nodes)
{
    m_mixed.Restrict(run.part);
    if (run.measureQ)
    {
        m_q = std::make_unique<QMonitor>(*context.graph, run.qWindow, store, validity);
    }
}

void
MixLog::Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used)
{
    m_mixed.Advance(node);
    if (!m_q)
    {
        return;
    }
    MixedShares& mixed = m_shares[round];
    mixed.resize(m_nodes);
    std::vector<MixedShare>& shares = mixed[node];
    shares.push_back({node, round, kept});
    ScaledDouble total = kept;
    for (const Share& share : used)
    {
        // Every chunk mixes by the same law: one of them stands for all.
        if (share.chunk == 0)
        {
            shares.push_back({share.source, share.round, share.mass});
            total += share.mass;
        }
    }
    if (m_context.lossPolicy == LossPolicy::RENORMALISE && !total.IsZero())
    {
        for (MixedShare& share : shares)
        {
            share.mass = ScaledDouble(share.mass / total);
        }
    }
    MeasureUpTo(m_mixed.Done());
}

Round
MixLog::FirstRound() const
{
    return m_q ? std::min(m_mixed.Done(), m_q->FirstRound()) : m_mixed.Done();
}

void
MixLog::MeasureUpTo(Round end)
{
    for (; m_measured < end; ++m_measured)
    {
        m_q->AddRound(m_measured, m_shares[m_measured]);
        m_shares.erase(m_measured);
    }
}

void
MixLog::Finish(Round rounds)
{
    if (!m_q)
    {
        return;
    }
    // Nodes that never came back have slept since, with what they held.
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        const Round round = m_mixed.Of(node);
        if (round < rounds)
        {
            m_shares[round][node].push_back({node, round, m_context.ledger->Weight(node)});
        }
    }
    MeasureUpTo(rounds);
    m_q->Finish();
}

} // namespace dpdl
