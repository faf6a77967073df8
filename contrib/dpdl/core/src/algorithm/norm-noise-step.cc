// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "norm-noise-step.h"

#include <cmath>

namespace dpdl
{

void
NormNoiseStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const std::size_t count = job.state->Size();
    float* gradient = desk.Scratch(0);
    job.batch = desk.FloatSum(job.state->Data(), desk.Draw(job, 0), update.clip, gradient);
    double squares = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        squares += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
    }
    desk.AddNoise(gradient, count, {update.noise * std::sqrt(squares), 0.0, update.clip}, job, 0);
    AddStep(update, gradient, *job.state);
}

} // namespace dpdl
