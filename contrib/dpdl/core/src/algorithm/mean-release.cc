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
    const BoundedSum sum = context.ClipMean(rule, mean);
    LocalUpdate undivided = job.update;
    undivided.divisor = 1.0;
    AddStep(undivided, context.AddNoise(sum, job, 0), *job.state);
}

} // namespace dpdl
