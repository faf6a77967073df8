// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/local-step.h"

#include "dpdl/training/gradient-step.h"
#include "kernels.h"

#include <algorithm>

namespace dpdl
{

void
StepContext::AddNoisyStep(const BoundedSum& sum, NodeJob& job)
{
    AddStep(job.update, AddNoise(sum, job, 0), *job.state);
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

ClipRule
WholeGradientRule(const NodeJob& job)
{
    ClipRule rule;
    rule.bound = job.update.clip;
    return rule;
}

void
GradientStep::Run(StepContext& context, NodeJob& job) const
{
    const Batch batch = context.Draw(job, 0);
    context.AddNoisyStep(context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job)),
                         job);
}

} // namespace dpdl
