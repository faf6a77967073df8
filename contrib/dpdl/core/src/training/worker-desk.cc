// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-desk.h"

#include "dpdl/training/gradient-step.h"
#include "kernels.h"
#include "stopwatch.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Test images that are evaluated in one go. Partial sums are added up in the order of the blocks,
/// whoever computed them.
constexpr std::size_t EVALUATION_BLOCK = 256;

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
    std::vector<double> noisy(values, values + count);
    m_supplies.noise->AddNoise(noisy.data(), count, scale, job.node, number);
    // What a source adds may be drawn only once: it is the difference that counts.
    float* kept = job.keepNoise ? KeptNoise(job, iteration) : nullptr;
    for (std::size_t i = 0; i < count && job.keepNoise; ++i)
    {
        kept[i] += static_cast<float>(noisy[i] - static_cast<double>(values[i]));
    }
    RoundToFloat(noisy.data(), values, count);
}

void
WorkerDesk::AddNoisyStep(double* gradient, NodeJob& job)
{
    const LocalUpdate& update = job.update;
    if (job.keepNoise || update.noise <= 0.0 || !update.chunkSteps.empty() ||
        update.increment != nullptr)
    {
        StepDesk::AddNoisyStep(gradient, job);
        return;
    }
    m_supplies.noise->AddNoisyStep(job.state->Data(),
                                   gradient,
                                   job.state->Size(),
                                   {update.noise, update.grid, update.clip},
                                   static_cast<float>(-update.stepSize / update.divisor),
                                   job.node,
                                   NumberOf(job, 0));
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

std::size_t
WorkerDesk::EvaluationBlocks() const
{
    return (m_supplies.dataset->test.Size() + EVALUATION_BLOCK - 1) / EVALUATION_BLOCK;
}

Evaluation
WorkerDesk::EvaluateBlock(const float* parameters, std::size_t block)
{
    const Split& test = m_supplies.dataset->test;
    const std::size_t first = block * EVALUATION_BLOCK;
    const std::size_t count = std::min(EVALUATION_BLOCK, test.Size() - first);
    return m_engine->Evaluate(parameters, test, first, count);
}

void
WorkerDesk::Do(NodeJob& job, WorkShares& seconds)
{
    if (!job.mix.empty())
    {
        const Stopwatch stopwatch(seconds.mixing);
        Mix(job);
    }
    if (job.evaluate)
    {
        const Stopwatch stopwatch(seconds.evaluation);
        for (std::size_t block = 0; block < EvaluationBlocks(); ++block)
        {
            job.evaluation += EvaluateBlock(job.state->Data(), block);
        }
    }
    if (job.copy)
    {
        std::copy_n(job.state->Data(), job.state->Size(), job.copy->Data());
    }
    if (job.update.enabled)
    {
        {
            const Stopwatch total(seconds.step);
            const Stopwatch stopwatch(job.stepSeconds);
            Step(job);
        }
        DrawUnitNoise(job);
    }
}

void
WorkerDesk::Mix(NodeJob& job) const
{
    if (!job.state)
    {
        job.state = m_supplies.pool->Acquire();
    }
    MixParameters(job.mix, *job.state);
    job.mixError = MixingError(job.mix, *job.state);
    // A source that nobody else mixes is the next job's state, and still in the cache.
    job.mix.clear();
}

void
WorkerDesk::DrawUnitNoise(NodeJob& job) const
{
    if (job.unitNoise)
    {
        const std::size_t shared = std::min(job.update.chunks.Parameters(), job.unitNoise->Size());
        std::fill_n(job.unitNoise->Data(), job.unitNoise->Size(), 0.0F);
        std::vector<double> noise(shared, 0.0);
        m_supplies.noise->AddNoise(noise.data(), shared, {1.0, 0.0, 1.0}, job.node, job.round);
        RoundToFloat(noise.data(), job.unitNoise->Data(), shared);
        job.unitNoiseNorm = AbsoluteSum(job.unitNoise->Data(), shared);
    }
}

void
WorkerDesk::Step(NodeJob& job)
{
    static const GradientStep plain;
    const LocalStep* step = job.update.step ? job.update.step : &plain;
    if (!job.increment)
    {
        step->Run(*this, job);
        return;
    }
    // The step moves a copy: others read z^k from now on.
    const ParameterHandle start = job.state;
    job.state = m_supplies.pool->AcquireCopy(start->Data());
    std::fill_n(job.increment->Data(), job.increment->Size(), 0.0F);
    job.update.increment = job.increment->Data();
    step->Run(*this, job);
    job.state = start;
}

} // namespace dpdl
