// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/fused-step.h"

#include "kernels.h"

#include <algorithm>

namespace dpdl
{

FusedStep::FusedStep(Round tau, double theta)
    : m_tau(tau),
      m_theta(theta)
{
}

void
FusedStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    const std::size_t size = job.state->Size();
    float* gradient = desk.Scratch(0);
    const Batch batch = desk.Draw(job, 0);
    job.batch = desk.FloatSum(job.state->Data(), batch, update.clip, gradient);
    desk.AddNoise(gradient, size, {update.noise, update.grid, update.clip}, job, 0);

    float* fused = job.memory.front()->Data();
    const bool begins = job.round == 0 || BlockOf(job.round, update.rounds, m_tau) !=
                                              BlockOf(job.round - 1, update.rounds, m_tau);
    // Memory is all zero before the first gradient, and again after a crash that took it.
    const bool isEmpty = std::all_of(fused, fused + size, [](float x) { return x == 0.0F; });
    if (begins || isEmpty)
    {
        std::copy_n(gradient, size, fused);
    }
    else
    {
        Scale(fused, static_cast<float>(m_theta), size);
        AddScaled(fused, gradient, static_cast<float>(1.0 - m_theta), size);
    }
    AddStep(update, fused, *job.state);
}

Round
BlockOf(Round round, Round rounds, Round tau)
{
    return rounds / tau - (rounds - round) / tau;
}

} // namespace dpdl
