// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/partial-step.h"

#include "dpdl/training/clip-rule.h"
#include "kernels.h"

#include <algorithm>
#include <limits>

namespace dpdl
{

PartialStep::PartialStep(double ratio, bool moves)
    : m_ratio(ratio),
      m_moves(moves)
{
}

void
PartialStep::TrainOwnPart(StepContext& context, NodeJob& job, const Batch& batch) const
{
    const std::size_t shared = SharedCount(job);
    const std::size_t own = job.state->Size() - shared;
    if (own == 0)
    {
        return;
    }
    float* const gradient = context.Scratch(0);
    context.GradientSum(job.state->Data(), batch, gradient);
    const double factor = -m_ratio * job.update.stepSize / job.update.divisor;
    AddScaled(job.state->Data() + shared, gradient + shared, static_cast<float>(factor), own);
}

void
PartialStep::Run(StepContext& context, NodeJob& job) const
{
    float* const gradient = context.Scratch(0);
    const std::size_t shared = SharedCount(job);
    const Batch batch = context.Draw(job, 0);
    const ClipRule rule{job.update.clip, ClipNorm::L1, false, 0, shared};
    ClipOutcome outcome;
    std::fill_n(gradient, job.state->Size(), 0.0F);
    if (m_moves)
    {
        TrainOwnPart(context, job, batch);
        job.batch = context.GradientSum(job.state->Data(), batch, gradient);
        Scale(gradient, static_cast<float>(1.0 / job.update.divisor), shared);
    }
    const BoundedSum mean = context.ClipMean(rule, gradient, &outcome);
    job.batch.clipped = outcome.clipped ? job.batch.size : 0;
    job.sharedNorm = AbsoluteSum(gradient, shared);
    LocalUpdate undivided = job.update;
    undivided.divisor = 1.0;
    AddStep(undivided, context.AddNoise(mean, job, 0), *job.state);
}

} // namespace dpdl
