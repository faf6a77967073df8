// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gradient-step.h"

namespace dpdl
{

void
GradientStep::Run(StepContext& context, NodeJob& job) const
{
    const Batch batch = context.Draw(job, 0);
    context.AddNoisyStep(context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job)),
                         job);
}

} // namespace dpdl
