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
PersonalStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const std::size_t end = SharedCount(job);
    float* mean = desk.Scratch(0);
    job.batch = desk.FloatSum(job.state->Data(),
                              desk.Draw(job, 0),
                              std::numeric_limits<double>::infinity(),
                              mean);
    // theta's step is one of its own, in which w rests.
    float* personal = desk.Scratch(1);
    std::fill_n(personal, end, 0.0F);
    std::copy(mean + end, mean + job.state->Size(), personal + end);
    LocalUpdate own = update;
    own.divisor *= m_alpha;
    AddStep(own, personal, *job.state);
    const auto scale = static_cast<float>(1.0 / update.divisor);
    std::transform(mean, mean + end, mean, [scale](float sum) { return scale * sum; });
    ReleaseMean(desk, job, end, mean);
}

} // namespace dpdl
