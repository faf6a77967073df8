// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "fisher-step.h"

#include "mean-release.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dpdl
{

namespace
{

constexpr double NO_CLIP = std::numeric_limits<double>::infinity();

/// |y - z| of each tensor.
std::vector<double>
Distances(const ModelSpec& model, const float* y, const float* z)
{
    std::vector<double> distances;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        double square = 0.0;
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
        {
            const double difference = static_cast<double>(y[i]) - z[i];
            square += difference * difference;
        }
        distances.push_back(std::sqrt(square));
    }
    return distances;
}

/// Marks the coordinates of a tensor whose value is above a fraction of the tensor's range.
void
MarkHigh(const ParameterTensor& tensor, const float* values, double threshold, float* mask)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
    {
        low = std::min<double>(low, values[i]);
        high = std::max<double>(high, values[i]);
    }
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
    {
        mask[i] = (values[i] - low) / (high - low) > threshold ? 1.0F : 0.0F;
    }
}

} // namespace

FisherStep::FisherStep(const FisherStepOptions& options)
    : m_options(options)
{
}

std::size_t
FisherStep::MemoryVectors() const
{
    return 2;
}

void
FisherStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const float* z = job.state->Data();
    float* y = job.memory[0]->Data();
    const float* mask = job.memory[1]->Data();
    const std::size_t size = job.state->Size();
    for (std::size_t i = 0; i < size; ++i)
    {
        y[i] = mask[i] > 0.0F ? y[i] : z[i];
    }
    const Batch batch = desk.Draw(job, 0);
    float* gradient = desk.Scratch(0);
    for (std::uint32_t pass = 0; pass < m_options.passes; ++pass)
    {
        job.batch += desk.FloatSum(y, batch, NO_CLIP, gradient);
        Train(desk.Model(), job, gradient);
    }
    Personalise(desk, batch, job);
    for (std::size_t i = 0; i < size; ++i)
    {
        gradient[i] = static_cast<float>((static_cast<double>(z[i]) - y[i]) / update.stepSize);
    }
    ReleaseMean(desk, job, size, gradient);
}

/// One gradient step of y: personal coordinates are held at z, the others at the clip bound's
/// distance from it.
void
FisherStep::Train(const ModelSpec& model, const NodeJob& job, const float* gradient) const
{
    const LocalUpdate& update = job.update;
    const float* z = job.state->Data();
    float* y = job.memory[0]->Data();
    const float* mask = job.memory[1]->Data();
    const std::vector<double> distances = Distances(model, y, z);
    double excess = -update.stepSize * update.clip;
    for (const double distance : distances)
    {
        excess += distance;
    }
    const double sign = excess > 0.0 ? 1.0 : excess < 0.0 ? -1.0 : 0.0;
    for (std::size_t t = 0; t < distances.size(); ++t)
    {
        const ParameterTensor& tensor = model.Parameters()[t];
        const double inverse = distances[t] > 0.0 ? 0.5 / distances[t] : 0.0;
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
        {
            const bool isPersonal = mask[i] > 0.0F;
            const double pull = isPersonal ? m_options.personalPull : sign * m_options.sharedPull;
            const double slope =
                gradient[i] / update.divisor + pull * inverse * (static_cast<double>(y[i]) - z[i]);
            y[i] -= static_cast<float>(update.stepSize * slope);
        }
    }
}

/// Which coordinates are personal in the next round.
void
FisherStep::Personalise(StepDesk& desk, const Batch& batch, const NodeJob& job) const
{
    const std::size_t size = job.state->Size();
    float* fisher = desk.Scratch(1);
    float* gradient = desk.Scratch(2);
    std::fill_n(fisher, size, 0.0F);
    for (std::size_t j = 0; j < batch.size; ++j)
    {
        const Batch one{batch.split, batch.examples + j, 1};
        desk.FloatSum(job.memory[0]->Data(), one, NO_CLIP, gradient);
        for (std::size_t i = 0; i < size; ++i)
        {
            fisher[i] += gradient[i] * gradient[i];
        }
    }
    for (const ParameterTensor& tensor : desk.Model().Parameters())
    {
        MarkHigh(tensor, fisher, m_options.threshold, job.memory[1]->Data());
    }
}

} // namespace dpdl
