// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "tensor-clip-step.h"

#include "dpdl/training/clip-rule.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

TensorClipStep::TensorClipStep(std::uint32_t iterations)
    : m_iterations(iterations)
{
}

std::uint32_t
TensorClipStep::Iterations() const
{
    return m_iterations;
}

void
TensorClipStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const auto tensors = static_cast<double>(desk.Model().Parameters().size());
    ClipRule rule;
    rule.bound = update.clip / std::sqrt(tensors);
    rule.perTensor = true;
    float* gradient = desk.Scratch(0);
    for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        job.batch += ClippedSum(desk.Engine(),
                                desk.Model(),
                                job.state->Data(),
                                desk.Draw(job, iteration),
                                rule,
                                desk.Scratch(1),
                                desk.Sum());
        std::copy_n(desk.Sum(), job.state->Size(), gradient);
        desk.AddNoise(gradient,
                      job.state->Size(),
                      {update.noise, update.grid, update.clip},
                      job,
                      iteration);
        AddStep(update, gradient, *job.state);
    }
}

} // namespace dpdl
