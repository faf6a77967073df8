// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "sam-step.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

SamStep::SamStep(std::uint32_t iterations, double radius)
    : m_iterations(iterations),
      m_radius(radius)
{
}

std::uint32_t
SamStep::Iterations() const
{
    return m_iterations;
}

std::size_t
SamStep::MemoryVectors() const
{
    return 1;
}

/// z + rho H / |H|; z itself if there is no direction to climb in.
const float*
SamStep::PointOf(StepDesk& desk, const NodeJob& job) const
{
    const float* state = job.state->Data();
    const float* last = job.memory.front()->Data();
    const std::size_t size = job.state->Size();
    double square = 0.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        square += static_cast<double>(last[i]) * last[i];
    }
    if (m_radius == 0.0 || square == 0.0 || !std::isfinite(square))
    {
        return state;
    }
    const auto factor = static_cast<float>(m_radius / std::sqrt(square));
    float* point = desk.Scratch(1);
    for (std::size_t i = 0; i < size; ++i)
    {
        point[i] = state[i] + factor * last[i];
    }
    return point;
}

void
SamStep::Run(StepDesk& desk, NodeJob& job) const
{
    const LocalUpdate& update = job.update;
    float* gradient = desk.Scratch(0);
    for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        job.batch +=
            desk.FloatSum(PointOf(desk, job), desk.Draw(job, iteration), update.clip, gradient);
        desk.AddNoise(gradient,
                      job.state->Size(),
                      {update.noise, update.grid, update.clip},
                      job,
                      iteration);
        AddStep(update, gradient, *job.state);
        std::copy_n(gradient, job.state->Size(), job.memory.front()->Data());
    }
}

} // namespace dpdl
