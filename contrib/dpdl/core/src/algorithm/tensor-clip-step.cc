// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "tensor-clip-step.h"

#include "dpdl/training/clip-rule.h"

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
TensorClipStep::Run(StepContext& context, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const auto tensors = static_cast<double>(context.Model().Parameters().size());
    ClipRule rule;
    rule.bound = update.clip / std::sqrt(tensors);
    rule.perTensor = true;
    for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        const Batch batch = context.Draw(job, iteration);
        const BoundedSum sum = context.ClippedSum(job, batch, job.state->Data(), rule);
        AddStep(update, context.AddNoise(sum, job, iteration), *job.state);
    }
}

} // namespace dpdl
