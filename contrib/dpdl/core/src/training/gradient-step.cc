// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gradient-step.h"

namespace dpdl
{

void
GradientStep::Run(StepContext& context, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    float* gradient = context.Scratch(0);
    job.batch = context.Engine().ClippedGradientSum(job.state->Data(),
                                                 context.Draw(job, 0),
                                                 update.clip,
                                                 gradient);
    context.AddNoisyStep(gradient, job);
}

} // namespace dpdl
