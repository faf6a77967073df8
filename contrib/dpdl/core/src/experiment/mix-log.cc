// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/mix-log.h"

#include <algorithm>

// Collects the shares that nodes mixed in each round, and passes each round that all nodes have
// mixed to QMonitor. QMonitor measures q, the factor by which the differences between the nodes'
// models contract per round.

namespace dpdl
{

MixLog::MixLog(const ResolvedNetwork& run,
               const LearnerContext& context,
               TraceStore& store,
               ValidityMonitor& validity)
    : m_run(run),
      m_context(context),
      m_mixed(run.nodes)
{
    if (!run.measureQ || run.part.rank > 0)
    {
        m_mixed.Restrict(run.part);
    }
    else
    {
        m_q = std::make_unique<QMonitor>(*context.graph, run.qWindow, store, validity);
        if (run.rankLink)
        {
            run.rankLink->takeMix =
                [this](NodeId node, Round round, const std::vector<MixedShare>& shares) {
                    Take(node, round, shares);
                };
        }
    }
}

void
MixLog::Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used)
{
    if (!m_run.measureQ)
    {
        m_mixed.Advance(node);
        return;
    }
    std::vector<MixedShare>& shares = m_used;
    shares.assign(1, {node, round, kept});
    ScaledDouble total = kept;
    for (const Share& share : used)
    {
        // Every chunk of parameters mixes with the same weights, so the first chunk is sufficient.
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
    if (m_q)
    {
        Take(node, round, shares);
        return;
    }
    m_mixed.Advance(node);
    m_run.rankLink->reportMix(node, round, shares);
}

void
MixLog::Take(NodeId node, Round round, const std::vector<MixedShare>& shares)
{
    m_mixed.Advance(node);
    MixedShares& mixed = m_shares[round];
    mixed.resize(m_run.nodes);
    mixed[node] = shares;
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

/// Push-sum weights of all nodes of the run, by node. All ranks must call this function together.
std::vector<ScaledDouble>
MixLog::Weights() const
{
    std::vector<ScaledDouble> weights(m_run.nodes);
    std::vector<double> halves(2 * m_run.nodes, 0.0);
    SumOver(m_run.rankLink.get(), halves, [&] {
        for (NodeId node = 0; node < m_run.nodes; ++node)
        {
            // The weight is 0 if another rank simulates the node.
            const ScaledDouble weight = m_context.ledger->Weight(node);
            halves[2 * node] += weight.Mantissa();
            halves[2 * node + 1] += weight.Exponent();
        }
    });
    for (NodeId node = 0; node < m_run.nodes; ++node)
    {
        weights[node] = ScaledDouble::FromParts(halves[2 * node],
                                                static_cast<std::int32_t>(halves[2 * node + 1]));
    }
    return weights;
}

void
MixLog::Finish(Round rounds)
{
    if (!m_run.measureQ)
    {
        return;
    }
    const std::vector<ScaledDouble> weights = Weights();
    rounds = m_run.rankLink ? static_cast<Round>(m_run.rankLink->Least(rounds)) : rounds;
    if (!m_q)
    {
        return;
    }
    // A node that never recovered from a crash keeps its mass. Its first round without mixing gets
    // a kept share. Its later rounds have no share at all, which also means that the node kept its
    // mass.
    for (NodeId node = 0; node < m_run.nodes; ++node)
    {
        const Round round = m_mixed.Of(node);
        if (round < rounds)
        {
            MixedShares& mixed = m_shares[round];
            mixed.resize(m_run.nodes);
            mixed[node].push_back({node, round, weights[node]});
        }
    }
    MeasureUpTo(rounds);
    m_q->Finish();
}

} // namespace dpdl
