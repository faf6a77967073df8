// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-recorder.h"

#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/network/failure-state.h"

#include <algorithm>
#include <cmath>

// Receives the events of the learners and writes their rows. CloseWhatIsDone() writes the rows
// about whole rounds when all running nodes have completed them.

namespace dpdl
{

namespace
{

/// Number of parameters of the model. A state vector begins with the parameters.
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
                         PrivacyBudget* budget)
    : m_run(run),
      m_context(context),
      m_store(store),
      m_headerBytes(headerBytes),
      m_deliveries(run.traceLevel == TraceLevel::SUMMARY ? nullptr : &store),
      m_validity(context.plan->Settings().algorithm.claimRestsOn, run.nodes, store),
      m_privacy(*context.plan,
                run.nodes,
                budget,
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
    NoteDivergence(job);
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
        const Stopwatch ofPrivacy(*this, m_privacySeconds, &m_traceSeconds);
        m_privacy.Add(job);
    }
    if (job.update.enabled)
    {
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
RunRecorder::NoteDivergence(const NodeJob& job)
{
    const bool diverges = std::isnan(job.batch.lossSum) || std::isnan(job.evaluation.lossSum);
    if (diverges && !m_divergedIn)
    {
        m_divergedIn = job.round;
        m_warnings.push_back("node " + std::to_string(job.node) + " has diverged: in round " +
                             std::to_string(job.round) +
                             " its parameters or losses are not finite; expected a smaller "
                             "stepSize, or less noise");
    }
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
    // Recorded at once, because the announced estimate depends on the node's data: it counts as a
    // release even if the node crashes before its noisy release.
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
RunRecorder::OnFailure(const FailureChange& change)
{
    const Stopwatch stopwatch(*this, m_traceSeconds);
    WriteFailure(change, m_store);
    if (change.event->timing.isReported)
    {
        m_energies.NoteBattery(*change.node, change.begins, change.time);
    }
}

} // namespace dpdl
