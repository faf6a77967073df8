// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/evaluated-round.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dpdl
{

void
EvaluatedRound::Add(NodeId node, const Evaluation& evaluation, ParameterHandle z)
{
    m_models[node] = {evaluation, std::move(z)};
}

/// Fills in the mean of the shared parameters.
double
EvaluatedRound::ConsensusDistance(ParameterVector& mean, std::size_t shared) const
{
    std::vector<const float*> models;
    for (const auto& [node, model] : m_models)
    {
        models.push_back(model.z->Data());
    }
    const auto count = static_cast<double>(models.size());
    double squares = 0.0;
    for (std::size_t i = 0; i < shared; ++i)
    {
        double sum = 0.0;
        for (const float* z : models)
        {
            sum += z[i];
        }
        const double centre = sum / count;
        mean.Data()[i] = static_cast<float>(centre);
        for (const float* z : models)
        {
            const double difference = z[i] - centre;
            squares += difference * difference;
        }
    }
    return std::sqrt(squares / count);
}

double
EvaluatedRound::AccuracyOfMean(const ParameterHandle& mean,
                               std::size_t shared,
                               TrainingBackend& backend) const
{
    if (shared == mean->Size())
    {
        return backend.EvaluateModel(mean).Accuracy();
    }
    double sum = 0.0;
    for (const auto& [node, model] : m_models)
    {
        std::copy(model.z->Data() + shared, model.z->Data() + mean->Size(), mean->Data() + shared);
        sum += backend.EvaluateModel(mean).Accuracy();
    }
    return sum / static_cast<double>(m_models.size());
}

double
EvaluatedRound::Write(Round round,
                      double readyAt,
                      std::size_t shared,
                      TrainingBackend& backend,
                      TraceStore& store)
{
    AccuracyRow row;
    row.round = round;
    row.simulatedSeconds = readyAt;
    row.accuracyWorst = 1.0;
    for (const auto& [node, model] : m_models)
    {
        const double accuracy = model.evaluation.Accuracy();
        const double loss = model.evaluation.MeanLoss();
        store.Add(NodeAccuracyRow{round, node, accuracy, loss});
        row.accuracyMean += accuracy;
        row.accuracyWorst = std::min(row.accuracyWorst, accuracy);
        row.lossMean += loss;
    }
    row.accuracyMean /= static_cast<double>(m_models.size());
    row.lossMean /= static_cast<double>(m_models.size());
    const ParameterHandle mean = backend.Pool().Acquire();
    row.consensusDistance = ConsensusDistance(*mean, shared);
    row.accuracyOfMeanModel = AccuracyOfMean(mean, shared, backend);
    store.Add(row);
    return row.accuracyMean;
}

} // namespace dpdl
