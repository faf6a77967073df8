// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-recorder.h"
#include "dpdl/experiment/run-rules.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace dpdl
{

namespace
{

/// At the end of a round, the recorder commits if at least ROWS_PER_COMMIT rows are pending or the
/// last commit was at least TIME_PER_COMMIT ago. If the process is killed, the rows since the last
/// commit are missing.
constexpr std::size_t ROWS_PER_COMMIT = 65536;
constexpr std::chrono::seconds TIME_PER_COMMIT{5};

} // namespace

void
RunRecorder::CommitIfDue(bool isEnd, double now)
{
    // With many nodes, or nodes that are many rounds apart, a long time may pass before a round
    // ends. So 4 * ROWS_PER_COMMIT pending rows cause a commit at any time.
    const std::size_t rows = (isEnd ? 1 : 4) * ROWS_PER_COMMIT;
    const bool isDue = isEnd && m_checkpoints.IsDue(m_progress.round);
    if (isDue)
    {
        m_checkpoints.Write(m_progress.round);
    }
    const bool isLate = isEnd && std::chrono::steady_clock::now() - m_settled >= TIME_PER_COMMIT;
    if (isDue || isLate || m_store.Pending() >= rows)
    {
        Settle(now);
    }
    if (isDue)
    {
        m_checkpoints.End();
    }
}

void
RunRecorder::Settle(double simulatedSeconds)
{
    SetFigures(simulatedSeconds);
    m_store.Flush(m_deliveries.Unsettled());
    m_settled = std::chrono::steady_clock::now();
}

void
RunRecorder::SetFigures(double simulatedSeconds)
{
    m_store.SetSummary("rounds", m_progress.round);
    m_store.SetSummary("messages_corrupt", m_deliveries.Corrupt());
    m_store.SetSummary("messages_duplicate", m_deliveries.Duplicates());
    m_store.SetSummary("bytes_repair", m_repairBytes);
    m_store.SetSummary("bytes_announced", m_announcements * m_headerBytes);
    m_store.SetSummary("simulated_seconds", simulatedSeconds);
    if (m_divergedIn)
    {
        m_store.SetSummary("diverged_in_round", *m_divergedIn);
    }
    if (!m_run.liars.IsEmpty())
    {
        m_store.SetSummary("mass_lied", m_context.ledger->Lied());
    }
}

void
RunRecorder::CloseWhatIsDone(double now)
{
    // Alternately calls CloseStart(), when all running nodes have stepped in a round, and
    // CloseRound(), when they have mixed it. The loop is needed because a crash may complete
    // several rounds at once.
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
    // A node that is ahead of other nodes still needs its in-neighbours of an earlier round. So
    // graphs of the last `staleness` rounds are kept.
    const Round first = m_mixes.FirstRound();
    m_context.graph->Forget(first - std::min(first, m_context.staleness));
    m_progress.round = round + 1;
    if (m_context.IsDue(round + 1, m_context.evaluateEvery))
    {
        m_energies.Write(round + 1);
    }
    {
        const Stopwatch ofPrivacy(*this, m_privacySeconds, &m_traceSeconds);
        m_progress.epsilon = m_privacy.CloseRound(round);
    }
    if (m_progressCallback)
    {
        m_progress.warnings = TakeWarnings();
        m_progressCallback(m_progress);
    }
}

std::vector<std::string>
RunRecorder::TakeWarnings()
{
    std::vector<std::string> warnings = m_privacy.TakeWarnings();
    warnings.insert(warnings.end(), m_warnings.begin(), m_warnings.end());
    m_warnings.clear();
    return warnings;
}

void
RunRecorder::Finish(double simulatedSeconds, bool complete)
{
    m_evaluations.Finish(complete);
    m_progress.accuracy = m_evaluations.Accuracy();
    {
        const Stopwatch stopwatch(*this, m_privacySeconds);
        m_privacy.Finish(MayLackReleases(m_run), complete);
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
