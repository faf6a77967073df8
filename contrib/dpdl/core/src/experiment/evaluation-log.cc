// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/evaluation-log.h"

namespace dpdl
{

EvaluationLog::EvaluationLog(TrainingBackend& backend,
                             TraceStore& store,
                             const ResolvedRun& run,
                             std::size_t shared)
    : m_backend(backend),
      m_store(store),
      m_run(run),
      m_shared(std::min(shared, backend.Model().ParameterCount()))
{
}

void
EvaluationLog::Add(Round round,
                   NodeId node,
                   const Evaluation& evaluation,
                   ParameterHandle z,
                   double now)
{
    if (round < m_closed || m_run.liars.Contains(node))
    {
        m_store.Add(AccuracyByNode{round, node, evaluation.Accuracy(), evaluation.MeanLoss()});
        return;
    }
    m_open[round].Add(node, evaluation, std::move(z));
    if (m_open.size() > MOST_OPEN)
    {
        Close(m_open.begin()->first, now);
    }
}

void
EvaluationLog::Close(Round round, double readyAt)
{
    while (!m_open.empty() && m_open.begin()->first <= round)
    {
        const auto first = m_open.begin();
        if (m_run.rankLink && first->first == m_run.rounds)
        {
            m_lastReadyAt = readyAt;
            return; // of all ranks together, in Finish()
        }
        m_accuracy =
            first->second
                .Write(first->first, readyAt, m_shared, m_backend, m_store, m_buffers, nullptr);
        m_open.erase(first);
    }
    m_closed = std::max(m_closed, round + 1);
}

void
EvaluationLog::Finish(bool complete)
{
    if (m_run.rankLink && complete)
    {
        m_accuracy = m_open[m_run.rounds].Write(m_run.rounds,
                                                m_lastReadyAt,
                                                m_shared,
                                                m_backend,
                                                m_store,
                                                m_buffers,
                                                m_run.rankLink.get());
    }
    m_open.clear();
}

} // namespace dpdl
