// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-runner.h"

#include "stopwatch.h"

#include <algorithm>
#include <utility>

// WorkerRunner: submits a task to the pool for each job. Between BeginBatch() and EndBatch() it
// collects jobs, then mixes their vectors together with RoundMix.

namespace dpdl
{

namespace
{

/// Number of ranges of columns per worker in which a batch of jobs is mixed. Several ranges balance
/// the load between workers.
constexpr std::size_t PARTS_OF_WORKER = 4;

} // namespace

WorkerRunner::WorkerRunner(const RunnerSupplies& supplies,
                           const std::string& engine,
                           unsigned workers)
    : m_supplies(supplies),
      m_workers(workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency()))
{
    for (unsigned worker = 0; worker < m_workers.Workers(); ++worker)
    {
        m_contexts.emplace_back(supplies, MakeGradientEngine(engine, *supplies.model));
    }
}

void
WorkerRunner::Submit(std::shared_ptr<NodeJob> job)
{
    if (m_isBatch)
    {
        m_held.push_back(std::move(job));
        return;
    }
    Begin(std::move(job));
}

void
WorkerRunner::EndBatch()
{
    m_isBatch = false;
    MixHeld();
    for (std::shared_ptr<NodeJob>& job : m_held)
    {
        Begin(std::move(job));
    }
    m_held.clear();
}

void
WorkerRunner::MixHeld()
{
    // Jobs with a robust rule, or an exact mix, are mixed separately.
    const auto isSummed = [](const NodeJob& job) {
        return !job.mix.empty() && job.rule.IsAverage() && !job.rule.isExact;
    };
    m_rows.clear();
    for (const std::shared_ptr<NodeJob>& job : m_held)
    {
        if (isSummed(*job))
        {
            job->state = job->state ? job->state : m_supplies.pool->Acquire();
            m_rows.push_back({&job->mix, job->state.get()});
        }
    }
    m_mix.Begin(m_rows);
    const std::size_t blocks = (m_mix.Length() + RoundMix::BLOCK - 1) / RoundMix::BLOCK;
    const std::size_t parts = std::min(blocks, PARTS_OF_WORKER * m_workers.Workers());
    m_workers.Run(parts, [&](unsigned, std::size_t part) {
        TimeBreakdown seconds;
        {
            const Stopwatch stopwatch(seconds.mixing);
            const std::size_t end = (part + 1) * blocks / parts * RoundMix::BLOCK;
            m_mix.MixColumns(part * blocks / parts * RoundMix::BLOCK,
                             std::min(end, m_mix.Length()));
        }
        Count(seconds);
    });
    m_mix.Finish();
    auto row = m_rows.begin();
    for (const std::shared_ptr<NodeJob>& job : m_held)
    {
        if (isSummed(*job))
        {
            job->mixError = (row++)->error;
            job->mix.clear();
        }
    }
}

void
WorkerRunner::Begin(std::shared_ptr<NodeJob> job)
{
    NodeJob& submitted = *job;
    submitted.taskId =
        m_workers.Add([this, job = std::move(job)](unsigned worker) { Do(worker, job); });
}

void
WorkerRunner::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    if (job)
    {
        m_held.erase(std::remove(m_held.begin(), m_held.end(), job), m_held.end());
        m_workers.Drop(job->taskId);
        Forget(job);
    }
}

void
WorkerRunner::Finish(const std::shared_ptr<NodeJob>& job)
{
    if (m_isBatch)
    {
        EndBatch();
    }
    m_workers.Await(job->taskId);
    if (job->failure)
    {
        Forget(job);
        std::rethrow_exception(job->failure);
    }
}

void
WorkerRunner::FinishAll()
{
    if (m_isBatch)
    {
        EndBatch();
    }
    m_workers.AwaitAll();
    std::shared_ptr<NodeJob> first;
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found =
            std::min_element(m_failed.begin(), m_failed.end(), [](const auto& a, const auto& b) {
                return a->taskId < b->taskId;
            });
        first = found == m_failed.end() ? nullptr : *found;
        m_failed.clear();
    }
    if (first)
    {
        std::rethrow_exception(first->failure);
    }
}

void
WorkerRunner::Forget(const std::shared_ptr<NodeJob>& job)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_failed.erase(std::remove(m_failed.begin(), m_failed.end(), job), m_failed.end());
}

void
WorkerRunner::Count(const TimeBreakdown& seconds)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_seconds.mixing += seconds.mixing;
    m_seconds.evaluation += seconds.evaluation;
    m_seconds.step += seconds.step;
}

std::size_t
WorkerContext::EvaluationBlocks(std::size_t examples) const
{
    const std::size_t used = std::min(examples, m_supplies.dataset->test.Size());
    return (used + EVALUATION_BLOCK - 1) / EVALUATION_BLOCK;
}

Evaluation
WorkerContext::EvaluateBlock(const float* parameters, std::size_t examples, std::size_t block)
{
    const Split& test = m_supplies.dataset->test;
    const std::size_t first = block * EVALUATION_BLOCK;
    const std::size_t count = std::min(EVALUATION_BLOCK, std::min(examples, test.Size()) - first);
    return m_engine->Evaluate(parameters, test, first, count);
}

void
WorkerContext::Evaluate(NodeJob& job)
{
    const ParameterVector& model = job.averaged > 0 ? *job.average : *job.state;
    const std::vector<float>& last = m_evaluatedModel;
    if (job.evaluate != m_evaluatedOn ||
        !std::equal(last.begin(), last.end(), model.Data(), model.Data() + model.Size()))
    {
        Evaluation total;
        for (std::size_t block = 0; block < EvaluationBlocks(job.evaluate); ++block)
        {
            total += EvaluateBlock(model.Data(), job.evaluate, block);
        }
        // Store the result last, so an evaluation that throws is not stored.
        m_evaluation = total;
        m_evaluatedOn = job.evaluate;
        m_evaluatedModel.assign(model.Data(), model.Data() + model.Size());
    }
    job.evaluation = m_evaluation;
}

Evaluation
WorkerRunner::EvaluateModel(const float* parameters, std::size_t examples)
{
    std::vector<Evaluation> parts(m_contexts.front().EvaluationBlocks(examples));
    m_workers.Run(parts.size(), [&](unsigned worker, std::size_t block) {
        TimeBreakdown seconds;
        {
            const Stopwatch stopwatch(seconds.evaluation);
            parts[block] = m_contexts[worker].EvaluateBlock(parameters, examples, block);
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

TimeBreakdown
WorkerRunner::Work() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return SharesOf(m_seconds);
}

void
WorkerRunner::Do(unsigned worker, const std::shared_ptr<NodeJob>& job)
{
    TimeBreakdown seconds;
    try
    {
        m_contexts[worker].Do(*job, seconds);
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

} // namespace dpdl
