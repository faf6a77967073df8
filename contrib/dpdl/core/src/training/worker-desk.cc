// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-desk.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Counts the draws of a node over the whole run: no two iterations share one.
Round
NumberOf(const NodeJob& job, std::uint32_t iteration)
{
    const std::uint32_t iterations = job.update.step ? job.update.step->Iterations() : 1;
    return job.round * iterations + iteration;
}

} // namespace

WorkerDesk::WorkerDesk(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine)
    : m_supplies(supplies),
      m_engine(std::move(engine))
{
}

const ModelSpec&
WorkerDesk::Model() const
{
    return *m_supplies.model;
}

GradientEngine&
WorkerDesk::Engine()
{
    return *m_engine;
}

Batch
WorkerDesk::Draw(const NodeJob& job, std::uint32_t iteration)
{
    m_supplies.sampler->Draw((*m_supplies.partition)[job.node],
                             job.node,
                             NumberOf(job, iteration),
                             m_batch);
    return {&m_supplies.dataset->train, m_batch.data(), m_batch.size()};
}

float*
WorkerDesk::Scratch(std::size_t index)
{
    std::unique_ptr<FloatBuffer>& scratch = m_scratches.at(index);
    if (!scratch)
    {
        scratch = std::make_unique<FloatBuffer>(m_supplies.model->ParameterCount());
    }
    return scratch->Data();
}

void
WorkerDesk::AddNoise(float* values,
                     std::size_t count,
                     const NoiseScale& scale,
                     NodeJob& job,
                     std::uint32_t iteration)
{
    if (scale.deviation <= 0.0)
    {
        return;
    }
    const Round number = NumberOf(job, iteration);
    if (!job.keepNoise)
    {
        m_supplies.noise->AddNoise(values, count, scale, job.node, number);
        return;
    }
    // What a source adds may be drawn only once: it is the difference that counts.
    const ParameterHandle before = m_supplies.pool->Acquire();
    std::copy_n(values, count, before->Data());
    m_supplies.noise->AddNoise(values, count, scale, job.node, number);
    float* kept = KeptNoise(job, iteration);
    for (std::size_t i = 0; i < count; ++i)
    {
        kept[i] += values[i] - before->Data()[i];
    }
}

float*
WorkerDesk::KeptNoise(NodeJob& job, std::uint32_t iteration) const
{
    if (job.noise.size() <= iteration)
    {
        job.noise.resize(iteration + 1);
    }
    ParameterHandle& kept = job.noise[iteration];
    if (!kept)
    {
        kept = m_supplies.pool->Acquire();
        std::fill_n(kept->Data(), kept->Size(), 0.0F);
    }
    return kept->Data();
}

} // namespace dpdl
