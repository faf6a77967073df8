// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learner.h"

#include <algorithm>
#include <tuple>

namespace dpdl
{

Learner::Learner(NodeId node, LearnerContext& context, ParameterHandle initial)
    : m_node(node),
      m_context(context),
      m_state(std::move(initial))
{
}

bool
Learner::Finished() const
{
    return m_round == m_context.plan->Rounds();
}

LocalUpdate
Learner::CurrentUpdate() const
{
    LocalUpdate update;
    if (Finished() || !m_context.train ||
        (m_context.gate != nullptr && !m_context.gate->MayRelease(m_node, m_round)))
    {
        return update;
    }
    const RoundRule& rule = m_context.plan->At(m_round);
    update.enabled = true;
    update.clip = rule.clip;
    update.noise = rule.noise;
    update.grid = rule.grid;
    update.divisor = m_context.plan->BatchSize();
    update.stepSize = rule.stepSize;
    if (m_context.stepScale == StepScale::PLAIN)
    {
        update.stepSize *= ScaledDouble(1.0) / Weight();
    }
    return update;
}

void
Learner::BeginRound(double now)
{
    m_startedAt = now;
    // The backend lets go of a job when it is done: the same one serves round after round.
    if (!m_job || m_job.use_count() > 1)
    {
        m_job = std::make_shared<NodeJob>();
    }
    *m_job = NodeJob();
    m_job->node = m_node;
    m_job->round = m_round;
    m_job->evaluate = m_context.IsDue(m_round, m_context.evaluateEvery);
    if (m_job->evaluate || m_context.IsDue(m_round, m_context.snapshotEvery))
    {
        m_job->copy = m_context.backend->Pool().Acquire();
    }
    if (m_mix.empty())
    {
        m_job->state = m_state;
    }
    m_job->mix.swap(m_mix);
    m_job->update = CurrentUpdate();
    m_context.backend->Submit(m_job);
}

const std::vector<Share>&
Learner::FinishStep(double now)
{
    if (!m_job->done)
    {
        m_context.backend->RunPending();
    }
    m_context.observer->OnStep(*m_job, m_startedAt, now);
    m_state = std::move(m_job->state);
    m_job->copy.reset();
    m_outgoing.clear();
    if (Finished())
    {
        return m_outgoing;
    }
    const double weight = m_context.graph->OutWeight(m_node, m_round);
    const ScaledDouble mass = Weight() * weight;
    for (const NodeId target : m_context.graph->OutNeighbours(m_node, m_round))
    {
        Share share{m_node, target, m_round, weight, mass, m_state, 0};
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
Learner::Lose(const Share& share)
{
    const bool final = m_context.lossPolicy == LossPolicy::NONE;
    if (final)
    {
        m_context.ledger->Lose(share.mass);
    }
    m_context.observer->OnLost(share, final);
}

bool
Learner::IsFirstCopy(const Share& share)
{
    if (share.round >= m_context.plan->Rounds())
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
Learner::Receive(const Share& share, double now)
{
    if (!IsFirstCopy(share))
    {
        m_context.observer->OnArrived(share, Arrival::DUPLICATE, now);
        return;
    }
    Arrival arrival = share.round < m_round ? Arrival::LATE : Arrival::ON_TIME;
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
    if (share.round >= m_round && share.round < m_context.plan->Rounds())
    {
        m_heard.resize(std::max<std::size_t>(m_heard.size(), share.round - m_round + 1));
        ++m_heard[share.round - m_round];
    }
    m_context.observer->OnArrived(share, arrival, now);
}

bool
Learner::HeardAll() const
{
    const std::size_t count = m_heard.empty() ? 0 : m_heard.front();
    return count == m_context.graph->InNeighbours(m_node, m_round).size();
}

void
Learner::Mix(double now)
{
    const auto later = std::stable_partition(m_inbox.begin(),
                                             m_inbox.end(),
                                             [this](const Share& s) { return s.round <= m_round; });
    m_used.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(later));
    m_inbox.erase(m_inbox.begin(), later);
    std::sort(m_used.begin(), m_used.end(), [](const Share& a, const Share& b) {
        return std::tie(a.source, a.round) < std::tie(b.source, b.round);
    });

    // Ascending order of source, the node itself included: the order of every other sum of masses.
    const ScaledDouble kept = Weight();
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
    total += keptIsIn ? ScaledDouble() : kept;
    m_context.ledger->SetWeight(m_node, total);
    m_mix.push_back({m_state, kept / total});
    for (const Share& share : m_used)
    {
        m_mix.push_back({share.z, share.mass / total});
    }
    m_context.observer->OnMixed(m_node, m_round, kept, m_used, now);
    // Handles that are not needed any more keep vectors from being used again.
    m_used.clear();
    m_outgoing.clear();
    m_state.reset();
    if (!m_heard.empty())
    {
        m_heard.erase(m_heard.begin());
    }
    ++m_round;
}

} // namespace dpdl
