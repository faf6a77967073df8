// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "norm-noise-step.h"

#include <cmath>

namespace dpdl
{

void
NormNoiseStep::Run(StepContext& context, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const Batch batch = context.Draw(job, 0);
    const BoundedSum sum =
        context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job));
    double squares = 0.0;
    for (std::size_t i = 0; i < sum.Size(); ++i)
    {
        squares += sum.Values()[i] * sum.Values()[i];
    }
    AddStep(update, context.AddNoise(sum, job, 0, std::sqrt(squares)), *job.state);
}

} // namespace dpdl
