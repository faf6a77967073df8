// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gradient-step.h"

namespace dpdl
{

void
GradientStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    double* gradient = desk.Sum();
    job.batch = desk.Engine().ClippedGradientSum(job.state->Data(),
                                                 desk.Draw(job, 0),
                                                 update.clip,
                                                 gradient);
    desk.AddNoisyStep(gradient, job);
}

} // namespace dpdl
