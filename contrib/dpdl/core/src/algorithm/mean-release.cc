// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mean-release.h"

namespace dpdl
{

void
ReleaseMean(StepContext& context, NodeJob& job, std::size_t count, float* mean)
{
    ClipRule rule;
    rule.bound = job.update.clip;
    rule.end = count;
    ClipGradient(context.Model(), rule, mean);
    context.AddNoise(mean, count, {job.update.noise, job.update.grid, job.update.clip}, job, 0);
    LocalUpdate undivided = job.update;
    undivided.divisor = 1.0;
    AddStep(undivided, mean, *job.state);
}

} // namespace dpdl
