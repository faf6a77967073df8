// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/evaluated-round.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

void
EvaluatedRound::Add(NodeId node, const Evaluation& evaluation, ParameterHandle z)
{
    m_models.resize(std::max<std::size_t>(m_models.size(), node + 1));
    m_models[node] = {evaluation, std::move(z)};
}

/// Fills in the mean.
double
EvaluatedRound::ConsensusDistance(ParameterVector& mean) const
{
    const auto count = static_cast<double>(m_models.size());
    double squares = 0.0;
    for (std::size_t i = 0; i < mean.Size(); ++i)
    {
        double sum = 0.0;
        for (const Model& model : m_models)
        {
            sum += model.z->Data()[i];
        }
        const double centre = sum / count;
        mean.Data()[i] = static_cast<float>(centre);
        for (const Model& model : m_models)
        {
            const double difference = model.z->Data()[i] - centre;
            squares += difference * difference;
        }
    }
    return std::sqrt(squares / count);
}

double
EvaluatedRound::Write(Round round, double readyAt, TrainingBackend& backend, TraceStore& store)
{
    AccuracyRow row;
    row.round = round;
    row.simulatedSeconds = readyAt;
    row.accuracyWorst = 1.0;
    for (NodeId node = 0; node < m_models.size(); ++node)
    {
        const double accuracy = m_models[node].evaluation.Accuracy();
        const double loss = m_models[node].evaluation.MeanLoss();
        store.Add(NodeAccuracyRow{round, node, accuracy, loss});
        row.accuracyMean += accuracy;
        row.accuracyWorst = std::min(row.accuracyWorst, accuracy);
        row.lossMean += loss;
    }
    row.accuracyMean /= static_cast<double>(m_models.size());
    row.lossMean /= static_cast<double>(m_models.size());
    const ParameterHandle mean = backend.Pool().Acquire();
    row.consensusDistance = ConsensusDistance(*mean);
    row.accuracyOfMeanModel = backend.EvaluateModel(mean).Accuracy();
    store.Add(row);
    return row.accuracyMean;
}

} // namespace dpdl
