// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/evaluation-log.h"

#include <algorithm>
#include <cmath>
#include <numeric>

// Collects evaluations by round. When a round ends, evaluates the mean model and writes the round's
// row.

namespace dpdl
{

namespace
{

AccuracyByNode
RowOf(Round round, NodeId node, const Evaluation& evaluation)
{
    return {round, node, evaluation.Accuracy(), evaluation.MeanLoss(), evaluation.size};
}

} // namespace

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
        m_store.Add(RowOf(round, node, evaluation));
        return;
    }
    m_open[round][node] = {evaluation, std::move(z)};
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
            return; // all ranks write the last round together, in Finish()
        }
        Write(first->first, readyAt, first->second, nullptr);
        m_open.erase(first);
    }
    m_closed = std::max(m_closed, round + 1);
}

void
EvaluationLog::Finish(bool complete)
{
    if (m_run.rankLink && complete)
    {
        Write(m_run.rounds, m_lastReadyAt, m_open[m_run.rounds], m_run.rankLink.get());
    }
    m_open.clear();
}

/// Computes the mean of the nodes' shared parameters over all ranks and stores it in @p mean.
/// @return root mean square, over the nodes, of the L2 distance from that mean
double
EvaluationLog::ConsensusDistance(const Models& models, ParameterVector& mean, RankLink* ranks)
{
    m_sums.assign(m_shared + 1, 0.0);
    m_squares.assign(m_shared, 0.0);
    const auto begin = m_sums.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(m_shared);
    double& count = m_sums.back();
    SumOver(ranks, m_sums, [&] {
        for (const auto& [node, model] : models)
        {
            std::transform(begin, end, model.z->Data(), begin, std::plus<>());
            count += 1.0;
        }
    });
    std::transform(begin, end, begin, [count](double sum) { return sum / count; });
    std::copy(begin, end, mean.Data());
    SumOver(ranks, m_squares, [&] {
        for (const auto& [node, model] : models)
        {
            for (std::size_t i = 0; i < m_shared; ++i)
            {
                const double difference = model.z->Data()[i] - m_sums[i];
                m_squares[i] += difference * difference;
            }
        }
    });
    return std::sqrt(std::accumulate(m_squares.begin(), m_squares.end(), 0.0) / count);
}

double
EvaluationLog::AccuracyOfMean(const Models& models,
                              const ParameterHandle& mean,
                              RankLink* ranks) const
{
    // All models of a round are evaluated on the same examples. Several ranks evaluate only the
    // last round together, on all test examples.
    const std::size_t examples =
        ranks != nullptr ? Evaluation::ALL : models.begin()->second.evaluation.size;
    const std::size_t parameters = m_backend.Model().ParameterCount();
    if (m_shared == parameters)
    {
        return m_backend.EvaluateModel(mean, examples).Accuracy();
    }
    std::vector<double> sum(2, 0.0); // sum of the nodes' accuracies, and number of nodes
    SumOver(ranks, sum, [&] {
        for (const auto& [node, model] : models)
        {
            const float* z = model.z->Data();
            std::copy(z + m_shared, z + parameters, mean->Data() + m_shared);
            sum[0] += m_backend.EvaluateModel(mean, examples).Accuracy();
            sum[1] += 1.0;
        }
    });
    return sum[0] / sum[1];
}

/// Evaluation of the mean model on a CUDA device; empty if the host must compute it.
std::optional<MeanEvaluation>
EvaluationLog::MeanOnDevice(const Models& models, RankLink* ranks) const
{
    if (models.empty() || ranks != nullptr || m_shared < m_backend.Model().ParameterCount())
    {
        return std::nullopt;
    }
    std::vector<ParameterHandle> all;
    for (const auto& [node, model] : models)
    {
        all.push_back(model.z);
    }
    return m_backend.EvaluateMean(all, models.begin()->second.evaluation.size);
}

void
EvaluationLog::Write(Round round, double readyAt, const Models& models, RankLink* ranks)
{
    AccuracyByRound row;
    row.round = round;
    row.simulatedSeconds = readyAt;
    row.accuracyWorst = 1.0;
    for (const auto& [node, model] : models)
    {
        const AccuracyByNode found = RowOf(round, node, model.evaluation);
        m_store.Add(found);
        row.accuracyMean += found.accuracy;
        const bool isWorst = std::isnan(found.accuracy) || found.accuracy < row.accuracyWorst;
        row.accuracyWorst = isWorst ? found.accuracy : row.accuracyWorst;
        row.lossMean += found.loss;
        row.testExamples = found.testExamples;
    }
    row.accuracyMean /= static_cast<double>(models.size());
    row.lossMean /= static_cast<double>(models.size());
    const auto found = MeanOnDevice(models, ranks);
    const ParameterHandle mean = m_backend.Pool().Acquire();
    row.consensusDistance = found ? found->distance : ConsensusDistance(models, *mean, ranks);
    row.accuracyOfMeanModel =
        found ? found->evaluation.Accuracy() : AccuracyOfMean(models, mean, ranks);
    if (std::isnan(row.accuracyMean) || std::isnan(*row.consensusDistance))
    {
        row.accuracyOfMeanModel = std::nan("");
    }
    if (!models.empty()) // all nodes of a rank may have crashed
    {
        m_store.Add(row);
    }
    m_accuracy = row.accuracyMean;
}

} // namespace dpdl
