// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/evaluated-round.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace dpdl
{

namespace
{

/// Adds up over all ranks, or here alone.
void
Sum(RankLink* ranks, std::vector<double>& running, const std::function<void()>& add)
{
    if (ranks == nullptr)
    {
        add();
        return;
    }
    ranks->Chain(running, add);
}

} // namespace

void
EvaluatedRound::Add(NodeId node, const Evaluation& evaluation, ParameterHandle z)
{
    m_models[node] = {evaluation, std::move(z)};
}

/// Fills in the mean of the shared parameters.
double
EvaluatedRound::ConsensusDistance(ParameterVector& mean,
                                  std::size_t shared,
                                  Buffers& buffers,
                                  RankLink* ranks) const
{
    std::vector<double>& sums = buffers.sums;
    std::vector<double>& squares = buffers.squares;
    sums.assign(shared + 1, 0.0);
    squares.assign(shared, 0.0);
    double& count = sums.back();
    Sum(ranks, sums, [&] {
        for (const auto& [node, model] : m_models)
        {
            std::transform(sums.begin(),
                           sums.begin() + shared,
                           model.z->Data(),
                           sums.begin(),
                           std::plus<>());
            count += 1.0;
        }
    });
    std::transform(sums.begin(), sums.begin() + shared, sums.begin(), [count](double sum) {
        return sum / count;
    });
    std::copy(sums.begin(), sums.begin() + shared, mean.Data());
    Sum(ranks, squares, [&] {
        for (const auto& [node, model] : m_models)
        {
            for (std::size_t i = 0; i < shared; ++i)
            {
                const double difference = model.z->Data()[i] - sums[i];
                squares[i] += difference * difference;
            }
        }
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0) / count);
}

double
EvaluatedRound::AccuracyOfMean(const ParameterHandle& mean,
                               std::size_t shared,
                               TrainingBackend& backend,
                               RankLink* ranks) const
{
    const std::size_t parameters = backend.Model().ParameterCount();
    if (shared == parameters)
    {
        return backend.EvaluateModel(mean).Accuracy();
    }
    std::vector<double> sum(2, 0.0); // of the accuracies, and their number
    Sum(ranks, sum, [&] {
        for (const auto& [node, model] : m_models)
        {
            const float* z = model.z->Data();
            std::copy(z + shared, z + parameters, mean->Data() + shared);
            sum[0] += backend.EvaluateModel(mean).Accuracy();
            sum[1] += 1.0;
        }
    });
    return sum[0] / sum[1];
}

double
EvaluatedRound::Write(Round round,
                      double readyAt,
                      std::size_t shared,
                      TrainingBackend& backend,
                      TraceStore& store,
                      Buffers& buffers,
                      RankLink* ranks)
{
    AccuracyByRound row;
    row.round = round;
    row.simulatedSeconds = readyAt;
    row.accuracyWorst = 1.0;
    for (const auto& [node, model] : m_models)
    {
        const double accuracy = model.evaluation.Accuracy();
        const double loss = model.evaluation.MeanLoss();
        store.Add(AccuracyByNode{round, node, accuracy, loss});
        row.accuracyMean += accuracy;
        row.accuracyWorst = std::min(row.accuracyWorst, accuracy);
        row.lossMean += loss;
    }
    const bool isEmpty = m_models.empty(); // all nodes of a rank have crashed
    row.accuracyMean /= static_cast<double>(m_models.size());
    row.lossMean /= static_cast<double>(m_models.size());
    const ParameterHandle mean = backend.Pool().Acquire();
    row.consensusDistance = ConsensusDistance(*mean, shared, buffers, ranks);
    row.accuracyOfMeanModel = AccuracyOfMean(mean, shared, backend, ranks);
    if (!isEmpty)
    {
        store.Add(row);
    }
    return row.accuracyMean;
}

} // namespace dpdl
