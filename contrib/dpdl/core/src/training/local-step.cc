// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/local-step.h"

#include "kernels.h"

#include <algorithm>

namespace dpdl
{

double*
StepDesk::Sum()
{
    m_sum.resize(Model().ParameterCount());
    return m_sum.data();
}

BatchResult
StepDesk::FloatSum(const float* parameters, const Batch& batch, double clip, float* gradientSum)
{
    const BatchResult result = Engine().ClippedGradientSum(parameters, batch, clip, Sum());
    RoundToFloat(Sum(), gradientSum, m_sum.size());
    return result;
}

void
StepDesk::AddNoisyStep(double* gradient, NodeJob& job)
{
    const LocalUpdate& update = job.update;
    float* noisy = Scratch(0);
    RoundToFloat(gradient, noisy, job.state->Size());
    AddNoise(noisy, job.state->Size(), {update.noise, update.grid, update.clip}, job, 0);
    AddStep(update, noisy, *job.state);
}

void
AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state)
{
    const auto add = [&](double stepSize, std::size_t begin, std::size_t size) {
        const auto factor = static_cast<float>(-stepSize / update.divisor);
        AddScaled(state.Data() + begin, gradient + begin, factor, size);
        if (update.increment != nullptr)
        {
            AddScaled(update.increment + begin, gradient + begin, factor, size);
        }
    };
    if (update.chunkSteps.empty())
    {
        add(update.stepSize, 0, state.Size());
    }
    for (std::size_t chunk = 0; chunk < update.chunkSteps.size(); ++chunk)
    {
        add(update.chunkSteps[chunk], update.chunks.Begin(chunk), update.chunks.Size(chunk));
    }
    const std::size_t own = update.chunks.Parameters();
    if (!update.chunkSteps.empty() && own < state.Size())
    {
        add(update.stepSize, own, state.Size() - own);
    }
}

std::size_t
SharedCount(const NodeJob& job)
{
    return std::min(job.update.chunks.Parameters(), job.state->Size());
}

} // namespace dpdl
