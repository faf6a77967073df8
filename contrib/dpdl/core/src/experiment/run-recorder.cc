// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-recorder.h"

#include <algorithm>
#include <chrono>

namespace dpdl
{

/// Adds the time of its scope, without what the backend computes meanwhile.
class RunRecorder::Stopwatch
{
  public:
    Stopwatch(RunRecorder& recorder, double& seconds)
        : m_recorder(recorder),
          m_seconds(seconds),
          m_compute(recorder.m_context.backend->ComputeSeconds()),
          m_start(std::chrono::steady_clock::now())
    {
    }

    ~Stopwatch()
    {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
        const double computed = m_recorder.m_context.backend->ComputeSeconds() - m_compute;
        m_seconds += elapsed.count() - computed;
    }

    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    const RunRecorder& m_recorder;                 ///< knows the backend
    double& m_seconds;                             ///< receives the time
    double m_compute;                              ///< backend's time at the start
    std::chrono::steady_clock::time_point m_start; ///< start of the scope
};

RunRecorder::RunRecorder(const RunSettings& settings,
                         const LearnerContext& context,
                         TraceStore& store,
                         std::uint64_t bytes,
                         BudgetGuard* guard)
    : m_settings(settings),
      m_context(context),
      m_store(store),
      m_deliveries(settings.traceLevel == TraceLevel::FULL ? &store : nullptr, bytes),
      m_validity(context.plan->Settings().algorithm.claimRestsOn, settings.nodes, store),
      m_privacy(*context.plan, settings.nodes, guard, m_validity, store)
{
    m_progress.rounds = settings.rounds;
    if (settings.measureQ)
    {
        m_q = std::make_unique<QMonitor>(*context.graph, settings.qWindow, store, m_validity);
    }
}

RunRecorder::RoundState&
RunRecorder::State(Round round)
{
    const auto [entry, isNew] = m_rounds.try_emplace(round);
    if (isNew)
    {
        entry->second.nodeRows.resize(m_settings.nodes);
        entry->second.shares.resize(m_q ? m_settings.nodes : 0);
    }
    return entry->second;
}

void
RunRecorder::OnStep(const NodeJob& job, double startedAt, double)
{
    if (m_stepCallback)
    {
        m_stepCallback(job);
    }
    const Stopwatch stopwatch(*this, m_traceSeconds);
    RoundState& state = State(job.round);
    state.mixError = std::max(state.mixError, job.mixError);
    const double w = m_context.ledger->Weight(job.node).ToDouble();
    if (m_context.IsDue(job.round, m_context.snapshotEvery))
    {
        m_store.AddSnapshot(job.round, job.node, w, job.copy->Data(), job.copy->Size());
    }
    if (job.evaluate)
    {
        state.models.Add(job.node, job.evaluation, job.copy);
    }
    if (job.update.enabled)
    {
        AddRelease(job.node, job.round);
    }
    NodeRoundRow& row = state.nodeRows[job.node];
    const double size = std::max<double>(1.0, job.batch.size);
    row = {job.round,
           job.node,
           w,
           job.batch.size,
           job.batch.lossSum / size,
           job.batch.normSum / size,
           job.batch.clipped / size,
           startedAt,
           startedAt};
    if (++state.stepped == m_settings.nodes)
    {
        CloseStart(job.round, job.evaluate);
    }
}

void
RunRecorder::CloseStart(Round round, bool evaluated)
{
    RoundState& state = State(round);
    if (evaluated)
    {
        m_progress.accuracy = state.models.Write(round, state.readyAt, *m_context.backend, m_store);
        state.models = EvaluatedRound();
    }
    if (round > 0)
    {
        state.mass.xError = state.mixError;
        m_store.Add(state.mass);
    }
    if (round == m_settings.rounds)
    {
        m_rounds.erase(round);
    }
}

void
RunRecorder::AddRelease(NodeId node, Round round)
{
    const double before = m_privacySeconds;
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_privacy.AddRelease(node, round);
    }
    m_traceSeconds -= m_privacySeconds - before;
}

std::uint32_t
RunRecorder::OnSent(const Share& share, double now)
{
    return m_deliveries.Open(share.round, share.source, share.target, share.weight, now);
}

void
RunRecorder::OnLost(const Share& share, LossCause, LostMass mass, double)
{
    m_deliveries.Lose(share.record, mass == LostMass::GONE);
}

void
RunRecorder::OnArrived(const Share& share, Arrival arrival, double now)
{
    if (arrival == Arrival::DUPLICATE)
    {
        m_validity.Report(Assumption::SHARES_ONCE,
                          share.round,
                          share.target,
                          "the share of node " + std::to_string(share.source) +
                              " arrived again; the copy was thrown away");
        return;
    }
    const bool onTime = arrival == Arrival::ON_TIME;
    m_deliveries.Arrive(share.record, onTime ? DeliveryFate::DELIVERED : DeliveryFate::LATE, now);
}

void
RunRecorder::ReportLate(NodeId node, Round round, const std::vector<Share>& used)
{
    const auto late = std::count_if(used.begin(), used.end(), [round](const Share& share) {
        return share.round < round;
    });
    if (late > 0)
    {
        m_validity.Report(Assumption::SHARES_IN_TIME,
                          round,
                          node,
                          "shares of earlier rounds that were mixed: " + std::to_string(late));
    }
}

void
RunRecorder::OnMixed(NodeId node,
                     Round round,
                     ScaledDouble kept,
                     const std::vector<Share>& used,
                     double now)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    RoundState& state = State(round);
    state.nodeRows[node].finishedAt = now;
    m_store.Add(state.nodeRows[node]);
    for (const Share& share : used)
    {
        m_deliveries.Use(share.record, round);
    }
    ReportLate(node, round, used);
    if (m_q)
    {
        std::vector<MixedShare>& shares = state.shares[node];
        shares.push_back({node, round, kept});
        for (const Share& share : used)
        {
            shares.push_back({share.source, share.round, share.mass});
        }
    }
    if (++state.mixed == m_settings.nodes)
    {
        CloseRound(round, now);
    }
}

void
RunRecorder::CloseRound(Round round, double now)
{
    State(round + 1).readyAt = now;
    MassRow& mass = State(round + 1).mass;
    mass.round = round + 1;
    mass.wAtNodes = m_context.ledger->AtNodes();
    mass.wInFlight = m_context.ledger->InFlight();
    mass.wLost = m_context.ledger->Lost();
    mass.wError = m_context.ledger->Error();
    if (m_q)
    {
        m_q->AddRound(round, State(round).shares);
    }
    ForgetGraphs(round);
    m_progress.round = round + 1;
    AddRoundGuarantee(round);
    m_rounds.erase(round);
    if (m_progressCallback)
    {
        m_progress.warnings = m_privacy.TakeWarnings();
        m_progressCallback(m_progress);
    }
}

void
RunRecorder::ForgetGraphs(Round round)
{
    // Nodes that wait for nobody may still ask whom they hear from in rounds that others closed.
    constexpr Round asked = 64;
    const Round oldest = m_q ? std::min(round, m_q->FirstRound()) : round;
    m_context.graph->Forget(oldest - std::min(oldest, asked));
}

void
RunRecorder::AddRoundGuarantee(Round round)
{
    const double before = m_privacySeconds;
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_progress.epsilon = m_privacy.CloseRound(round);
    }
    m_traceSeconds -= m_privacySeconds - before;
}

void
RunRecorder::Finish(double simulatedSeconds)
{
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_privacy.Finish();
    }
    const Stopwatch stopwatch(*this, m_traceSeconds);
    m_deliveries.Finish(m_store);
    if (m_q)
    {
        m_q->Finish();
    }
    m_validity.Finish();
    m_store.SetSummary("rounds", m_progress.round);
    m_store.SetSummary("nodes", m_settings.nodes);
    m_store.SetSummary("parameters", m_context.backend->Model().ParameterCount());
    m_store.SetSummary("simulated_seconds", simulatedSeconds);
}

} // namespace dpdl
