// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/training-backend.h"

#include "dpdl/training/gradient-step.h"
#include "kernels.h"
#include "worker-desk.h"
#include "worker-pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Test images that are evaluated in one go. Partial sums are added up in the order of the blocks,
/// whoever computed them.
constexpr std::size_t EVALUATION_BLOCK = 256;

/// Adds the time between its birth and its death.
class Stopwatch
{
  public:
    explicit Stopwatch(double& seconds)
        : m_seconds(seconds)
    {
    }

    ~Stopwatch()
    {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_begin;
        m_seconds += elapsed.count();
    }

    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& m_seconds;
    std::chrono::steady_clock::time_point m_begin{std::chrono::steady_clock::now()};
};

unsigned
CountWorkers(unsigned wanted)
{
    return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

void
CheckModel(const ModelSpec& model, const Dataset& dataset)
{
    if (!(model.Shapes().front() == dataset.shape) || model.Classes() != dataset.classes)
    {
        throw UsageError("model",
                         model.Name(),
                         "one for the images and classes of dataset '" + dataset.name + "'");
    }
}

void
CheckPartition(const Partition& partition, const Sampler& sampler, std::size_t examples)
{
    for (const std::vector<std::uint32_t>& local : partition)
    {
        sampler.Rate(local.size());
        for (const std::uint32_t example : local)
        {
            if (example >= examples)
            {
                throw UsageError("partition: example",
                                 std::to_string(example),
                                 "one below " + std::to_string(examples));
            }
        }
    }
}

} // namespace

/// The workers, and what each of them computes in.
class TrainingBackend::Implementation
{
  public:
    Implementation(ModelSpec model,
                   std::shared_ptr<const Dataset> dataset,
                   Partition partition,
                   std::shared_ptr<const Sampler> sampler,
                   const Options& options);

    void RunPending();
    Evaluation EvaluateModel(const float* parameters);
    WorkShares Work() const;

    const ModelSpec model;
    const std::shared_ptr<const Dataset> dataset;
    const Partition partition;
    const std::shared_ptr<const Sampler> sampler;
    const std::shared_ptr<const NoiseSource> noise;
    ParameterPool pool;
    WorkerPool workers;
    std::vector<std::shared_ptr<NodeJob>> pending;
    double seconds{0.0};

  private:
    /// What one worker computes with, and the time it has taken.
    struct Desk
    {
        WorkerDesk tools;
        WorkShares seconds;
    };

    std::size_t EvaluationBlocks() const;
    Evaluation EvaluateBlock(Desk& desk, const float* parameters, std::size_t block) const;
    void Do(Desk& desk, NodeJob& job);
    void Step(Desk& desk, NodeJob& job);
    void DrawUnitNoise(NodeJob& job) const;

    std::vector<Desk> m_desks;
};

TrainingBackend::Implementation::Implementation(ModelSpec modelSpec,
                                                std::shared_ptr<const Dataset> data,
                                                Partition shares,
                                                std::shared_ptr<const Sampler> batches,
                                                const Options& options)
    : model(std::move(modelSpec)),
      dataset(std::move(data)),
      partition(std::move(shares)),
      sampler(std::move(batches)),
      noise(options.noise ? options.noise : MakeNoiseSource("philox", options.seed)),
      pool(model.ParameterCount()),
      workers(CountWorkers(options.workers))
{
    CheckModel(model, *dataset);
    CheckPartition(partition, *sampler, dataset->train.Size());
    const DeskSupplies supplies{&model,
                                &dataset->train,
                                &partition,
                                sampler.get(),
                                noise.get(),
                                &pool};
    for (unsigned worker = 0; worker < workers.Workers(); ++worker)
    {
        m_desks.push_back({WorkerDesk(supplies, MakeGradientEngine(options.engine, model)), {}});
    }
}

void
TrainingBackend::Implementation::RunPending()
{
    workers.Run(pending.size(),
                [this](unsigned worker, std::size_t task) { Do(m_desks[worker], *pending[task]); });
    pending.clear();
}

Evaluation
TrainingBackend::Implementation::EvaluateModel(const float* parameters)
{
    std::vector<Evaluation> parts(EvaluationBlocks());
    workers.Run(parts.size(), [&](unsigned worker, std::size_t block) {
        const Stopwatch stopwatch(m_desks[worker].seconds.evaluation);
        parts[block] = EvaluateBlock(m_desks[worker], parameters, block);
    });
    Evaluation total;
    for (const Evaluation& part : parts)
    {
        total += part;
    }
    return total;
}

std::size_t
TrainingBackend::Implementation::EvaluationBlocks() const
{
    return (dataset->test.Size() + EVALUATION_BLOCK - 1) / EVALUATION_BLOCK;
}

Evaluation
TrainingBackend::Implementation::EvaluateBlock(Desk& desk,
                                               const float* parameters,
                                               std::size_t block) const
{
    const std::size_t first = block * EVALUATION_BLOCK;
    const std::size_t count = std::min(EVALUATION_BLOCK, dataset->test.Size() - first);
    return desk.tools.Engine().Evaluate(parameters, dataset->test, first, count);
}

WorkShares
TrainingBackend::Implementation::Work() const
{
    WorkShares sum;
    for (const Desk& desk : m_desks)
    {
        sum.mixing += desk.seconds.mixing;
        sum.evaluation += desk.seconds.evaluation;
        sum.step += desk.seconds.step;
    }
    const double total = sum.mixing + sum.evaluation + sum.step;
    return total > 0.0 ? WorkShares{sum.mixing / total, sum.evaluation / total, sum.step / total}
                       : sum;
}

void
TrainingBackend::Implementation::Do(Desk& desk, NodeJob& job)
{
    if (!job.mix.empty())
    {
        const Stopwatch stopwatch(desk.seconds.mixing);
        if (!job.state)
        {
            job.state = pool.Acquire();
        }
        MixParameters(job.mix, *job.state);
        job.mixError = MixingError(job.mix, *job.state);
        // A source that nobody else mixes is the next job's state, and still in the cache.
        job.mix.clear();
    }
    if (job.evaluate)
    {
        const Stopwatch stopwatch(desk.seconds.evaluation);
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
        Step(desk, job);
        DrawUnitNoise(job);
    }
    job.done = true;
}

void
TrainingBackend::Implementation::DrawUnitNoise(NodeJob& job) const
{
    if (job.unitNoise)
    {
        const std::size_t shared = std::min(job.update.chunks.Parameters(), job.unitNoise->Size());
        std::fill_n(job.unitNoise->Data(), job.unitNoise->Size(), 0.0F);
        noise->AddNoise(job.unitNoise->Data(), shared, {1.0, 0.0, 1.0}, job.node, job.round);
        job.unitNoiseNorm = AbsoluteSum(job.unitNoise->Data(), shared);
    }
}

void
TrainingBackend::Implementation::Step(Desk& desk, NodeJob& job)
{
    const Stopwatch total(desk.seconds.step);
    const Stopwatch stopwatch(job.stepSeconds);
    static const GradientStep plain;
    const LocalStep* step = job.update.step ? job.update.step : &plain;
    if (!job.increment)
    {
        step->Run(desk.tools, job);
        return;
    }
    // The step moves a copy: others read z^k from now on.
    const ParameterHandle start = job.state;
    job.state = pool.AcquireCopy(start->Data());
    std::fill_n(job.increment->Data(), job.increment->Size(), 0.0F);
    job.update.increment = job.increment->Data();
    step->Run(desk.tools, job);
    job.state = start;
}

TrainingBackend::TrainingBackend(ModelSpec model,
                                 std::shared_ptr<const Dataset> dataset,
                                 Partition partition,
                                 std::shared_ptr<const Sampler> sampler,
                                 Options options)
    : m_implementation(std::make_unique<Implementation>(std::move(model),
                                                        std::move(dataset),
                                                        std::move(partition),
                                                        std::move(sampler),
                                                        options))
{
}

TrainingBackend::~TrainingBackend() = default;

void
TrainingBackend::Submit(std::shared_ptr<NodeJob> job)
{
    if ((!job->state && job->mix.empty()) || job->node >= m_implementation->partition.size())
    {
        throw Error("a job needs a state and a node of the partition");
    }
    if (job->update.enabled && std::isfinite(job->update.clip))
    {
        CheckPerExampleGradients(m_implementation->model);
    }
    m_implementation->pending.push_back(std::move(job));
}

void
TrainingBackend::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    auto& pending = m_implementation->pending;
    pending.erase(std::remove(pending.begin(), pending.end(), job), pending.end());
}

void
TrainingBackend::RunPending()
{
    const Stopwatch stopwatch(m_implementation->seconds);
    m_implementation->RunPending();
}

std::size_t
TrainingBackend::PendingJobs() const
{
    return m_implementation->pending.size();
}

Evaluation
TrainingBackend::EvaluateModel(const ParameterHandle& parameters)
{
    const Stopwatch stopwatch(m_implementation->seconds);
    return m_implementation->EvaluateModel(parameters->Data());
}

ParameterPool&
TrainingBackend::Pool()
{
    return m_implementation->pool;
}

const ModelSpec&
TrainingBackend::Model() const
{
    return m_implementation->model;
}

std::size_t
TrainingBackend::LocalExamples(NodeId node) const
{
    return m_implementation->partition.at(node).size();
}

const Sampler&
TrainingBackend::BatchSampler() const
{
    return *m_implementation->sampler;
}

unsigned
TrainingBackend::Workers() const
{
    return m_implementation->workers.Workers();
}

WorkShares
TrainingBackend::Work() const
{
    return m_implementation->Work();
}

double
TrainingBackend::ComputeSeconds() const
{
    return m_implementation->seconds;
}

} // namespace dpdl
