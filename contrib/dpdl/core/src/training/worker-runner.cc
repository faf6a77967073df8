// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-runner.h"

#include "dpdl/training/gradient-step.h"
#include "kernels.h"
#include "stopwatch.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace dpdl
{

namespace
{

/// Test images that are evaluated in one go. Partial sums are added up in the order of the blocks,
/// whoever computed them.
constexpr std::size_t EVALUATION_BLOCK = 256;

unsigned
CountWorkers(unsigned wanted)
{
    return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

} // namespace

WorkerRunner::WorkerRunner(const RunnerSupplies& supplies,
                           const std::string& engine,
                           unsigned workers)
    : m_supplies(supplies),
      m_workers(CountWorkers(workers))
{
    for (unsigned worker = 0; worker < m_workers.Workers(); ++worker)
    {
        m_desks.emplace_back(supplies, MakeGradientEngine(engine, *supplies.model));
    }
}

void
WorkerRunner::Submit(std::shared_ptr<NodeJob> job)
{
    NodeJob& submitted = *job;
    submitted.ticket =
        m_workers.Add([this, job = std::move(job)](unsigned worker) { Do(worker, job); });
}

void
WorkerRunner::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    if (job)
    {
        m_workers.Drop(job->ticket);
        Forget(job);
    }
}

void
WorkerRunner::Finish(const std::shared_ptr<NodeJob>& job)
{
    m_workers.Await(job->ticket);
    if (job->failure)
    {
        Forget(job);
        std::rethrow_exception(job->failure);
    }
}

void
WorkerRunner::FinishAll()
{
    m_workers.AwaitAll();
    std::shared_ptr<NodeJob> first;
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found =
            std::min_element(m_failed.begin(), m_failed.end(), [](const auto& a, const auto& b) {
                return a->ticket < b->ticket;
            });
        first = found == m_failed.end() ? nullptr : *found;
        m_failed.clear();
    }
    if (first)
    {
        std::rethrow_exception(first->failure);
    }
}

std::size_t
WorkerRunner::Pending() const
{
    return m_workers.Open();
}

void
WorkerRunner::Forget(const std::shared_ptr<NodeJob>& job)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_failed.erase(std::remove(m_failed.begin(), m_failed.end(), job), m_failed.end());
}

void
WorkerRunner::Count(const WorkShares& seconds)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_seconds.mixing += seconds.mixing;
    m_seconds.evaluation += seconds.evaluation;
    m_seconds.step += seconds.step;
}

Evaluation
WorkerRunner::EvaluateModel(const float* parameters)
{
    std::vector<Evaluation> parts(EvaluationBlocks());
    m_workers.Run(parts.size(), [&](unsigned worker, std::size_t block) {
        WorkShares seconds;
        {
            const Stopwatch stopwatch(seconds.evaluation);
            parts[block] = EvaluateBlock(m_desks[worker], parameters, block);
        }
        Count(seconds);
    });
    Evaluation total;
    for (const Evaluation& part : parts)
    {
        total += part;
    }
    return total;
}

std::size_t
WorkerRunner::EvaluationBlocks() const
{
    return (m_supplies.dataset->test.Size() + EVALUATION_BLOCK - 1) / EVALUATION_BLOCK;
}

Evaluation
WorkerRunner::EvaluateBlock(WorkerDesk& desk, const float* parameters, std::size_t block) const
{
    const Split& test = m_supplies.dataset->test;
    const std::size_t first = block * EVALUATION_BLOCK;
    const std::size_t count = std::min(EVALUATION_BLOCK, test.Size() - first);
    return desk.Engine().Evaluate(parameters, test, first, count);
}

unsigned
WorkerRunner::Workers() const
{
    return m_workers.Workers();
}

std::string
WorkerRunner::Device() const
{
    return "cpu";
}

WorkShares
WorkerRunner::Work() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return SharesOf(m_seconds);
}

void
WorkerRunner::Do(unsigned worker, const std::shared_ptr<NodeJob>& job)
{
    WorkShares seconds;
    try
    {
        Compute(m_desks[worker], *job, seconds);
        job->done = true;
    }
    catch (...)
    {
        job->failure = std::current_exception();
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_failed.push_back(job);
    }
    Count(seconds);
}

void
WorkerRunner::Compute(WorkerDesk& desk, NodeJob& job, WorkShares& seconds) const
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
            job.evaluation += EvaluateBlock(desk, job.state->Data(), block);
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
            Step(desk, job);
        }
        DrawUnitNoise(job);
    }
}

void
WorkerRunner::Mix(NodeJob& job) const
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
WorkerRunner::DrawUnitNoise(NodeJob& job) const
{
    if (job.unitNoise)
    {
        const std::size_t shared = std::min(job.update.chunks.Parameters(), job.unitNoise->Size());
        std::fill_n(job.unitNoise->Data(), job.unitNoise->Size(), 0.0F);
        m_supplies.noise->AddNoise(job.unitNoise->Data(),
                                   shared,
                                   {1.0, 0.0, 1.0},
                                   job.node,
                                   job.round);
        job.unitNoiseNorm = AbsoluteSum(job.unitNoise->Data(), shared);
    }
}

void
WorkerRunner::Step(WorkerDesk& desk, NodeJob& job) const
{
    static const GradientStep plain;
    const LocalStep* step = job.update.step ? job.update.step : &plain;
    if (!job.increment)
    {
        step->Run(desk, job);
        return;
    }
    // The step moves a copy: others read z^k from now on.
    const ParameterHandle start = job.state;
    job.state = m_supplies.pool->AcquireCopy(start->Data());
    std::fill_n(job.increment->Data(), job.increment->Size(), 0.0F);
    job.update.increment = job.increment->Data();
    step->Run(desk, job);
    job.state = start;
}

} // namespace dpdl
