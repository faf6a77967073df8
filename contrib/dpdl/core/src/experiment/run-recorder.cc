// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-recorder.h"

#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/experiment/sent-certificate.h"
#include "dpdl/network/failure-state.h"

#include <algorithm>
#include <chrono>
#include <cmath>

// Receives the events of the learners, closes rounds when all running nodes have passed them, and
// writes their rows.

namespace dpdl
{

/// Adds the time of its scope, excluding the backend's computations.
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
    const RunRecorder& m_recorder;                 ///< provides the backend
    double& m_seconds;                             ///< receives the time
    double m_compute;                              ///< backend's time at the start
    std::chrono::steady_clock::time_point m_start; ///< start of the scope
};

namespace
{

/// Number of parameters of the model, the leading ones of a state.
std::size_t
ParametersOf(const LearnerContext& context)
{
    return context.backend->Model().ParameterCount();
}

} // namespace

RunRecorder::RunRecorder(const ResolvedRun& run,
                         const LearnerContext& context,
                         TraceStore& store,
                         std::uint64_t headerBytes,
                         PrivacyBudget* guard)
    : m_run(run),
      m_context(context),
      m_store(store),
      m_headerBytes(headerBytes),
      m_deliveries(run.traceLevel == TraceLevel::SUMMARY ? nullptr : &store),
      m_validity(context.plan->Settings().algorithm.claimRestsOn, run.nodes, store),
      m_privacy(*context.plan,
                run.nodes,
                guard,
                m_validity,
                store,
                {run.leakers, WhyTooManyLeak(run)}),
      m_evaluations(*context.backend, store, run, context.chunks.Parameters()),
      m_stepped(run.nodes),
      m_mixed(run.nodes),
      m_mixes(run, context, store, m_validity),
      m_positions(run.nodes, run.traceLevel == TraceLevel::SUMMARY ? nullptr : &store),
      m_energies(run.nodes, store),
      m_checkpoints(run, *context.backend, store),
      m_nodeRows(run.nodes)
{
    m_progress.rounds = run.rounds;
    m_stepped.Restrict(run.part);
    m_mixed.Restrict(run.part);
}

void
RunRecorder::OnBegin(NodeId node, Round round)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    m_positions.Begin(node, round);
}

void
RunRecorder::OnStep(const NodeJob& job, double startedAt, double now)
{
    if (m_stepCallback)
    {
        m_stepCallback(job);
    }
    const Stopwatch stopwatch(*this, m_traceSeconds);
    if (job.round >= m_closedStarts)
    {
        RoundState& state = m_rounds[job.round];
        state.mixError = std::max(state.mixError, job.mixError);
    }
    const double w = m_context.ledger->MeanWeight(job.node).ToDouble();
    if (m_context.IsDue(job.round, m_context.snapshotEvery))
    {
        m_store.Add(Snapshot{job.round, job.node, w, {job.copy->Data(), ParametersOf(m_context)}});
    }
    if (job.evaluate > 0)
    {
        m_evaluations.Add(job.round,
                          job.node,
                          job.evaluation,
                          job.averaged > 0 ? job.average : job.copy,
                          now);
    }
    if (job.update.enabled)
    {
        AddReleases(job);
        AddNoise(job);
    }
    if (job.lie.kind != LieKind::NONE)
    {
        m_validity.Report(Assumption::NODES_HONEST,
                          job.round,
                          job.node,
                          "lies " + Lies().NameOf(job.lie.kind));
    }
    const double size = std::max<double>(1.0, job.batch.size);
    m_nodeRows[job.node] = {job.round,
                            job.node,
                            w,
                            job.batch.size,
                            job.batch.lossSum / size,
                            job.batch.normSum / size,
                            job.batch.clipped / size,
                            startedAt,
                            startedAt,
                            m_context.ledger->SmallestWeight(job.node).ToDouble()};
    m_stepped.Advance(job.node);
    CloseWhatIsDone(now);
}

void
RunRecorder::CloseWhatIsDone(double now)
{
    // Alternates ends and starts of rounds; a crash may complete several at once.
    while (true)
    {
        if (m_closedStarts > m_progress.round && m_progress.round < m_mixed.Done())
        {
            CloseRound(m_progress.round, now);
        }
        else if (m_closedStarts <= m_progress.round && m_closedStarts < m_stepped.Done())
        {
            CloseStart(m_closedStarts);
        }
        else
        {
            return;
        }
    }
}

void
RunRecorder::CloseStart(Round round)
{
    RoundState& state = m_rounds[round];
    m_evaluations.Close(round, state.readyAt);
    m_progress.accuracy = m_evaluations.Accuracy();
    if (round > 0)
    {
        const bool isCovered = round % m_context.coveredEvery == 0;
        state.mass.xError = isCovered ? state.mixError : std::nan("");
        m_store.Add(state.mass);
    }
    m_rounds.erase(round);
    m_closedStarts = round + 1;
}

void
RunRecorder::AddReleases(const NodeJob& job)
{
    const double before = m_privacySeconds;
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_privacy.Add(job);
    }
    m_traceSeconds -= m_privacySeconds - before;
}

void
RunRecorder::AddNoise(const NodeJob& job)
{
    for (std::size_t i = 0; i < job.noise.size(); ++i)
    {
        if (const ParameterHandle& noise = job.noise[i])
        {
            const auto iteration = static_cast<std::uint32_t>(i);
            m_store.Add(NoiseByRound{job.round,
                                     job.node,
                                     iteration,
                                     {noise->Data(), ParametersOf(m_context)}});
        }
    }
}

std::uint64_t
RunRecorder::BytesOf(const Share& share) const
{
    return m_headerBytes +
           m_context.compression.Bytes(m_context.chunks.Size(share.chunk), share.isCompressed);
}

void
RunRecorder::OnAnnounced(const NodeJob& job)
{
    // A node that crashes now has already revealed a function of its data.
    if (job.update.enabled)
    {
        m_privacy.Announce(job.node, job.round);
    }
}

void
RunRecorder::OnSensitivity(const SensitivityReport& report)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    m_announcements += m_run.nodes - 1;
    m_progress.sensitivity = report.maximum;
    m_store.Add(SensitivityByRound{report.round,
                                   report.node,
                                   report.estimated,
                                   report.maximum,
                                   static_cast<std::uint32_t>(report.unheard),
                                   report.real});
    if (report.unheard > 0)
    {
        m_validity.Report(Assumption::MAXIMUM_HEARD,
                          report.round,
                          report.node,
                          "nodes whose sensitivity was not heard: " +
                              std::to_string(report.unheard));
    }
}

std::uint32_t
RunRecorder::OnSent(const Share& share, double)
{
    return m_deliveries.Open(share, BytesOf(share));
}

void
RunRecorder::HandOver(const Share& share)
{
    m_deliveries.Withdraw(share.record, BytesOf(share));
}

void
RunRecorder::OnLost(const Share& share, const MessageLoss& loss, LostMass mass, double at)
{
    if (m_privacy.NeedsAllParts())
    {
        m_privacy.LosePart("a message of node " + std::to_string(share.source) +
                           " was lost in round " + std::to_string(share.round));
    }
    const bool final = mass == LostMass::GONE;
    if (loss.reason == DropReason::CORRUPT)
    {
        m_deliveries.Lose(share.record, DeliveryFate::CORRUPT, loss, final, at);
        return;
    }
    const DeliveryFate fate = mass == LostMass::BACK ? DeliveryFate::REFUNDED : DeliveryFate::LOST;
    if (loss.mayArrive)
    {
        m_deliveries.GiveUp(share.record, fate, loss, final);
        return;
    }
    m_deliveries.Lose(share.record, fate, loss, final);
}

void
RunRecorder::OnArrived(const Share& share, Arrival arrival, double now)
{
    if (arrival == Arrival::DUPLICATE)
    {
        m_deliveries.Duplicate(share, BytesOf(share), now);
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
RunRecorder::OnForgotten(const Share& share, LostMass mass)
{
    m_deliveries.Forget(share.record, mass == LostMass::GONE);
}

void
RunRecorder::OnCrashed(NodeId node, Round round, bool keptState, bool hasSent, double now)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    m_privacy.EndAnnounced(node);
    if (m_privacy.NeedsAllParts())
    {
        m_privacy.LosePart("node " + std::to_string(node) + " crashed in round " +
                           std::to_string(round));
    }
    m_validity.Report(Assumption::NODES_PRESENT,
                      round,
                      node,
                      std::string("crashed ") + (hasSent ? "after" : "before") +
                          " its shares were sent; its state " +
                          (keptState ? "is kept" : "is lost"));
    m_stepped.SetDown(node, true);
    m_mixed.SetDown(node, true);
    CloseWhatIsDone(now);
}

void
RunRecorder::OnRecovered(NodeId node, double)
{
    m_stepped.SetDown(node, false);
    m_mixed.SetDown(node, false);
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
    m_nodeRows[node].finishedAt = now;
    m_store.Add(m_nodeRows[node]);
    for (const Share& share : used)
    {
        m_deliveries.Use(share.record, round);
    }
    ReportLate(node, round, used);
    m_mixed.Advance(node);
    m_mixes.Add(node, round, kept, used);
    const Round before = m_progress.round;
    CloseWhatIsDone(now);
    CommitIfDue(m_progress.round > before, now);
}

void
RunRecorder::CloseRound(Round round, double now)
{
    RoundState& next = m_rounds[round + 1];
    next.readyAt = now;
    MassByRound& mass = next.mass;
    mass.round = round + 1;
    mass.wAtNodes = m_context.ledger->AtNodes();
    mass.wInFlight = m_context.ledger->InFlight();
    mass.wLost = m_context.ledger->Lost();
    mass.wError = m_context.ledger->Error();
    // A node that is ahead still needs the in-neighbours of the round for which it waits.
    const Round first = m_mixes.FirstRound();
    m_context.graph->Forget(first - std::min(first, m_context.staleness));
    m_progress.round = round + 1;
    if (m_context.IsDue(round + 1, m_context.evaluateEvery))
    {
        m_energies.Write(round + 1);
    }
    AddRoundGuarantee(round);
    if (m_progressCallback)
    {
        m_progress.warnings = m_privacy.TakeWarnings();
        m_progressCallback(m_progress);
    }
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
RunRecorder::OnFailure(const FailureChange& change)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    WriteFailure(change, m_store);
    if (change.event->timing.isReported)
    {
        m_energies.NoteBattery(*change.node, change.begins, change.time);
    }
}

void
RunRecorder::Finish(double simulatedSeconds, bool complete)
{
    m_evaluations.Finish(complete);
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_privacy.Finish(MayBeSilent(m_run));
    }
    const Stopwatch stopwatch(*this, m_traceSeconds);
    m_deliveries.Finish(m_store);
    const bool isToEnd = complete && !m_energies.IsLifeOver();
    m_mixes.Finish(isToEnd ? m_run.rounds : m_progress.round);
    for (const NodeId node : m_run.leakers.Members())
    {
        if (m_run.part.Owns(node, m_run.nodes))
        {
            m_validity.Report(Assumption::SECRETS_KEPT,
                              0,
                              node,
                              "leaks: the noise that it shares is known, of all rounds");
        }
    }
    m_validity.Finish();
    SetFigures(simulatedSeconds);
}

} // namespace dpdl
