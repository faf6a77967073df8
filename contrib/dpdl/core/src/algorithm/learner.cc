// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learner.h"

#include <algorithm>

// The rounds of one node: local step, sending, mixing, crashes and Byzantine attacks. PushSum keeps
// the push-sum masses.

namespace dpdl
{

Learner::Learner(NodeId node, LearnerContext& context, ParameterHandle initial)
    : m_node(node),
      m_context(context),
      m_pushSum(node, context, context.plan->Rounds()),
      m_state(std::move(initial))
{
    ClearMemory();
    MakeSensitivityRound();
}

void
Learner::ClearMemory()
{
    const std::size_t vectors = m_context.plan->Settings().algorithm.step->MemoryVectors();
    m_memory.clear();
    for (std::size_t i = 0; i < vectors; ++i)
    {
        m_memory.push_back(m_context.backend->Pool().Acquire());
        std::fill_n(m_memory.back()->Data(), m_memory.back()->Size(), 0.0F);
    }
}

void
Learner::MakeSensitivityRound()
{
    const LearningPlanSettings& settings = m_context.plan->Settings();
    if (settings.mode == Mode::PAPER && settings.algorithm.sensitivity)
    {
        m_sensitivityRound = std::make_unique<SensitivityRound>(m_node, m_context, *m_state);
    }
}

void
Learner::Start(ParameterHandle initial)
{
    m_state = std::move(initial);
    MakeSensitivityRound();
}

bool
Learner::Learns() const
{
    return !Finished() && m_context.plan->At(m_node, m_round).learns;
}

/// True if the node has no push-sum mass, as after a crash. A node without mass takes no step. With
/// a gradient tracker, true if the model or the tracker has no mass.
bool
Learner::HoldsNothing() const
{
    const bool needsAll = m_context.plan->Settings().algorithm.tracks;
    return (needsAll ? m_context.ledger->SmallestWeight(m_node) : Weight()).IsZero();
}

LocalUpdate
Learner::CurrentUpdate() const
{
    LocalUpdate update;
    update.chunks = Chunks();
    if (!Learns() || !m_context.train || HoldsNothing() ||
        (m_context.mayRelease && !m_context.mayRelease(m_node, m_round)))
    {
        return update;
    }
    const RoundRule& rule = m_context.plan->At(m_node, m_round);
    update.enabled = true;
    update.step = m_context.plan->Settings().algorithm.step.get();
    update.clip = rule.clip;
    update.noise = Announces() ? 0.0 : rule.noise;
    update.grid = rule.grid;
    update.divisor = m_context.plan->BatchSize(m_node);
    update.stepSize = rule.stepSize;
    update.rounds = m_context.plan->Rounds();
    update.stepsBefore = m_context.plan->Of(m_node).StepsBefore(m_round);
    update.isSummed =
        m_round + 1 == update.rounds || !m_context.plan->At(m_node, m_round + 1).learns;
    if (m_context.plan->Settings().algorithm.tracks)
    {
        update.trackerWeight = m_pushSum.Weight(1).ToDouble();
        update.stepSize /= m_pushSum.Weight(0).ToDouble();
        return update;
    }
    ScaleSteps(update);
    return update;
}

void
Learner::ScaleSteps(LocalUpdate& update) const
{
    // If nodes send before they step, the step is added after mixing, and PushSum::Mix() scales it.
    const bool isPlain = m_context.stepScale == StepScale::PLAIN && !SendsFirst();
    if (!isPlain && !m_context.ledger->SmallestWeight(m_node).IsZero())
    {
        return;
    }
    const auto stepOf = [&](std::size_t chunk) {
        const ScaledDouble weight = m_pushSum.Weight(chunk);
        const double scale = isPlain && !weight.IsZero() ? ScaledDouble(1.0) / weight : 1.0;
        return weight.IsZero() ? 0.0 : update.stepSize * scale;
    };
    const bool isWhole = Chunks().Parameters() >= m_context.backend->Model().ParameterCount();
    if (Chunks().Count() == 1 && isWhole)
    {
        update.stepSize = stepOf(0);
        return;
    }
    for (std::size_t chunk = 0; chunk < Chunks().Count(); ++chunk)
    {
        update.chunkSteps.push_back(stepOf(chunk));
    }
}

void
Learner::BeginRound(double now)
{
    m_startedAt = now;
    m_phase = Finished() ? Phase::FINISHED : Phase::COMPUTING;
    m_context.graph->BeginRound(m_round);
    m_context.observer->OnBegin(m_node, m_round);
    // The backend drops its shared pointer to a completed job, so the same job object can be used
    // in the next round. A new one is made only if the backend still has the old one.
    if (!m_job || m_job.use_count() > 1)
    {
        m_job = std::make_shared<NodeJob>();
    }
    *m_job = NodeJob();
    m_job->node = m_node;
    m_job->round = m_round;
    m_job->evaluate = m_context.EvaluatedExamples(m_round);
    AddToAverage();
    if ((m_job->evaluate > 0 && m_job->averaged == 0) ||
        m_context.IsDue(m_round, m_context.snapshotEvery))
    {
        m_job->copy = m_context.backend->Pool().Acquire();
    }
    if (m_mix.empty())
    {
        m_job->state = std::move(m_state);
    }
    m_job->mix.swap(m_mix);
    m_job->update = CurrentUpdate();
    if (m_job->update.enabled && SendsFirst())
    {
        m_job->increment = m_context.backend->Pool().Acquire();
    }
    m_job->memory = m_memory;
    if (m_job->update.enabled && Announces())
    {
        m_job->standardNoise = m_context.backend->Pool().Acquire();
    }
    m_job->rule = m_context.rule;
    PrepareLie();
    m_job->recordNoise = m_context.recordNoise;
    m_job->compressor = m_context.compression.compressor.get();
    m_job->compressed = m_pushSum.PrepareMessages(m_round, m_context.backend->Pool());
    m_context.backend->Submit(m_job);
}

/// Sets the Byzantine attack of the next job. An attack lasts for the whole round.
void
Learner::PrepareLie()
{
    if (m_lie.kind != LieKind::STALE)
    {
        m_stale.reset();
    }
    if (Finished())
    {
        return;
    }
    m_job->lie = m_lie;
    m_job->seed = m_context.plan->Settings().seed;
    if (m_lie.ChangesShares())
    {
        m_job->told = m_lie.kind == LieKind::STALE ? m_stale : m_context.backend->Pool().Acquire();
    }
}

/// Lets the job of this round add z to the mean of the node's iterates, unless the mean has not
/// begun or a crash left the node without push-sum mass.
void
Learner::AddToAverage()
{
    if (m_round >= m_context.averageFrom && !Weight().IsZero())
    {
        m_job->averaged = ++m_averaged;
        m_job->average = std::move(m_average);
    }
}

double
Learner::MeasureStep()
{
    if (!m_job)
    {
        return 0.0; // a crash dropped the job, after it had run and its shares had been sent
    }
    m_context.backend->Finish(m_job);
    return m_job->stepSeconds;
}

const std::vector<Share>&
Learner::SendAhead(double now)
{
    if (!SendsFirst() || m_phase != Phase::COMPUTING)
    {
        return m_none;
    }
    m_phase = Phase::COMPUTING_SENT;
    return Publish(now);
}

const std::vector<Share>&
Learner::FinishStep(double now)
{
    if (Finished())
    {
        return Publish(now);
    }
    if (Announces())
    {
        MeasureStep();
        m_context.observer->OnAnnounced(*m_job);
        m_phase = Phase::AWAITING_MAXIMUM;
        return m_sensitivityRound->Announce(*m_job, now);
    }
    const bool hasSent = HasSent();
    m_phase = Phase::AWAITING_SHARES;
    return hasSent ? m_none : Publish(now);
}

const std::vector<Share>&
Learner::PublishAfterNoise(double now)
{
    m_phase = Phase::AWAITING_SHARES;
    m_sensitivityRound->AddNoise(*m_job);
    return Publish(now);
}

void
Learner::Receive(const Share& share, double now)
{
    if (!share.IsAnnouncement())
    {
        m_pushSum.Receive(share, m_round, now);
    }
    else if (Announces())
    {
        m_sensitivityRound->Hear(share);
    }
}

std::vector<NodeId>
Learner::WaitsFor() const
{
    switch (m_phase)
    {
    case Phase::AWAITING_MAXIMUM:
        return m_sensitivityRound->Missing(m_round);
    case Phase::WAITING:
    case Phase::AWAITING_SHARES:
        return m_pushSum.Missing(m_round);
    default:
        return {};
    }
}

const std::vector<Share>&
Learner::Publish(double now)
{
    MeasureStep();
    m_context.observer->OnStep(*m_job, m_startedAt, now);
    m_state = std::move(m_job->state);
    m_late = std::move(m_job->increment);
    if (m_job->averaged > 0)
    {
        m_average = std::move(m_job->average);
    }
    m_job->copy.reset();
    m_job->noise.clear();
    m_job->standardNoise.reset();
    if (Finished())
    {
        return m_none;
    }
    const ParameterHandle told = std::move(m_job->told);
    const bool isLie = static_cast<bool>(told);
    if (m_job->lie.kind == LieKind::STALE && !isLie)
    {
        m_stale = m_state;
    }
    return m_pushSum.Split(m_round,
                           isLie ? told : m_state,
                           std::exchange(m_job->compressed, {}),
                           now,
                           isLie);
}

void
Learner::Mix(double now)
{
    if (Announces())
    {
        m_sensitivityRound->CloseRound(m_round, m_pushSum.HeardAllOf(m_round));
    }
    m_pushSum.Mix(m_round,
                  m_state,
                  {std::move(m_late), m_context.stepScale == StepScale::PLAIN},
                  now,
                  m_mix);
    if (m_context.momentum != 1.0)
    {
        const ParameterHandle last = std::exchange(m_last, m_state);
        // Each local step restarts the momentum of accelerated gossip.
        const bool isFirst = !m_job || m_job->update.enabled;
        isFirst || !last ? void() : AddMomentum(m_mix, last, m_context.momentum);
    }
    m_state.reset();
    m_phase = Phase::WAITING;
    ++m_round;
}

void
Learner::Crash(bool keepState, double now)
{
    m_power = Power::DOWN;
    m_pushSum.ForgetSent(now);
    if (Finished())
    {
        return; // the node has finished its part of the run
    }
    m_pushSum.LoseInbox();
    if (Announces() && !keepState)
    {
        m_sensitivityRound->Restart();
    }
    if (m_phase == Phase::AWAITING_MAXIMUM)
    {
        m_phase = Phase::COMPUTING; // after recovery, the driver calls FinishStep() again
    }
    m_context.observer->OnCrashed(m_node, m_round, keepState, HasSent(), now);
    if (keepState)
    {
        return;
    }
    m_pushSum.LoseWeight();
    m_power = Power::WITHOUT_STATE;
    m_state.reset();
    m_late.reset();
    m_last.reset();
    m_stale.reset();
    m_average.reset();
    m_averaged = 0;
    m_mix.clear();
    // Cancels the job; without this, jobs of a node that crashes often would accumulate.
    m_context.backend->Withdraw(m_job);
    m_job.reset();
}

void
Learner::Recover(double now)
{
    const bool hasState = m_power != Power::WITHOUT_STATE;
    m_power = Power::UP;
    m_context.observer->OnRecovered(m_node, now);
    if (hasState)
    {
        return;
    }
    m_state = m_context.backend->Pool().AcquireCopy(m_context.initial->Data());
    ClearMemory();
    if (m_phase == Phase::COMPUTING)
    {
        BeginRound(now);
    }
}

} // namespace dpdl
