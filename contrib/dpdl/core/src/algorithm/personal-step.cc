// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "personal-step.h"

#include "mean-release.h"

#include <algorithm>
#include <limits>

namespace dpdl
{

PersonalStep::PersonalStep(double alpha)
    : m_alpha(alpha)
{
}

void
PersonalStep::Run(StepContext& context, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const std::size_t end = SharedCount(job);
    float* mean = context.Scratch(0);
    const Batch batch = context.Draw(job, 0);
    job.batch = context.GradientSum(job.state->Data(), batch, mean);
    // theta's step is one of its own, in which w rests.
    float* personal = context.Scratch(1);
    std::fill_n(personal, end, 0.0F);
    std::copy(mean + end, mean + job.state->Size(), personal + end);
    LocalUpdate own = update;
    own.divisor *= m_alpha;
    AddStep(own, personal, *job.state);
    const auto scale = static_cast<float>(1.0 / update.divisor);
    std::transform(mean, mean + end, mean, [scale](float sum) { return scale * sum; });
    ReleaseMean(context, job, end, mean);
}

} // namespace dpdl
