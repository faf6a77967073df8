// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/partial-step.h"

#include "dpdl/training/clip-rule.h"
#include "kernels.h"

#include <algorithm>
#include <limits>

namespace dpdl
{

namespace
{

constexpr double NO_BOUND = std::numeric_limits<double>::infinity();

} // namespace

PartialStep::PartialStep(double ratio, bool moves)
    : m_ratio(ratio),
      m_moves(moves)
{
}

void
PartialStep::TrainOwnPart(StepDesk& desk, NodeJob& job, const Batch& batch) const
{
    const std::size_t shared = SharedCount(job);
    const std::size_t own = job.state->Size() - shared;
    if (own == 0)
    {
        return;
    }
    float* const gradient = desk.Scratch(0);
    desk.FloatSum(job.state->Data(), batch, NO_BOUND, gradient);
    const double factor = -m_ratio * job.update.stepSize / job.update.divisor;
    AddScaled(job.state->Data() + shared, gradient + shared, static_cast<float>(factor), own);
}

void
PartialStep::Run(StepDesk& desk, NodeJob& job) const
{
    float* const gradient = desk.Scratch(0);
    const std::size_t shared = SharedCount(job);
    if (m_moves)
    {
        const Batch batch = desk.Draw(job, 0);
        TrainOwnPart(desk, job, batch);
        job.batch = desk.FloatSum(job.state->Data(), batch, NO_BOUND, gradient);
        Scale(gradient, static_cast<float>(1.0 / job.update.divisor), shared);
        const ClipRule rule{job.update.clip, ClipNorm::L1, false, 0, shared};
        const ClipOutcome outcome = ClipGradient(desk.Model(), rule, gradient);
        job.batch.clipped = outcome.clipped ? job.batch.size : 0;
        job.sharedNorm = AbsoluteSum(gradient, shared);
    }
    else
    {
        std::fill_n(gradient, job.state->Size(), 0.0F);
    }
    desk.AddNoise(gradient, shared, {job.update.noise, job.update.grid, job.update.clip}, job, 0);
    LocalUpdate mean = job.update;
    mean.divisor = 1.0;
    AddStep(mean, gradient, *job.state);
}

} // namespace dpdl
