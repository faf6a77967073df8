// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-recorder.h"

namespace dpdl
{

namespace
{

/// Commit interval in rows and in time: the most that a killed run loses if rounds end often
/// enough.
constexpr std::size_t ROWS_PER_COMMIT = 65536;
constexpr std::chrono::seconds TIME_PER_COMMIT{5};

} // namespace

void
RunRecorder::CommitIfDue(bool isEnd, double now)
{
    // If nodes are far apart, or there are many, no round may end for a long time.
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
    if (!m_run.liars.IsEmpty())
    {
        m_store.SetSummary("mass_lied", m_context.ledger->Lied());
    }
}

} // namespace dpdl
