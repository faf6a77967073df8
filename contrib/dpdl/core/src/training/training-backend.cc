// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/training-backend.h"

#include "dpdl/base/quantity.h"
#include "job-runner.h"
#include "journal-runner.h"
#include "stopwatch.h"
#include "worker-runner.h"

#include <cmath>
#include <utility>

// TrainingBackend checks its inputs, chooses a runner (worker threads or a device, optionally with
// a journal) and forwards all jobs to it.

namespace dpdl
{

namespace
{

/// Checks that all values are token ids, if the model has a vocabulary.
void
CheckTokens(const ModelSpec& model, const Split& split)
{
    if (model.Tokens() == 0)
    {
        return;
    }
    const std::string what = "dataset for the embedding of model '" + model.Name() + "'";
    const std::string accepted = "whole numbers from 0 to " + std::to_string(model.Tokens() - 1) +
                                 ", of a type such as int32";
    DPDL_REFUSE_IF(!split.pixels.empty(), what, "bytes, which are scaled to [0, 1]", accepted);
    for (const float value : split.values)
    {
        DPDL_REFUSE_IF(!(value >= 0.0F && value < static_cast<float>(model.Tokens())) ||
                           value != std::floor(value),
                       what,
                       ShowNumber(value),
                       accepted);
    }
}

void
CheckModel(const ModelSpec& model, const Dataset& dataset)
{
    DPDL_REFUSE_IF(!(model.Shapes().front() == dataset.shape) || model.Classes() != dataset.classes,
                   "model",
                   model.Name(),
                   "one for the images and classes of dataset '" + dataset.name + "'");
    CheckTokens(model, dataset.train);
    CheckTokens(model, dataset.test);
}

void
CheckPartition(const Partition& partition, const Sampler& sampler, std::size_t examples)
{
    for (const std::vector<std::uint32_t>& local : partition)
    {
        sampler.Rate(local.size());
        for (const std::uint32_t example : local)
        {
            DPDL_REFUSE_IF(example >= examples,
                           "partition: example",
                           std::to_string(example),
                           "one below " + std::to_string(examples));
        }
    }
}

std::unique_ptr<JobRunner>
MakeRunner(const TrainingBackend::Options& options, const RunnerSupplies& supplies)
{
    if (options.device == "cuda")
    {
        return MakeCudaRunner(supplies, options);
    }
    DPDL_REFUSE_IF(options.device != "cpu", "device", options.device, "cpu or cuda");
    return std::make_unique<WorkerRunner>(supplies, options.engine, options.workers);
}

} // namespace

/// The parts of a backend, with the runner of its jobs.
class TrainingBackend::Implementation
{
  public:
    Implementation(ModelSpec model,
                   std::shared_ptr<const Dataset> dataset,
                   Partition partition,
                   std::shared_ptr<const Sampler> sampler,
                   const Options& options);

    const ModelSpec model;
    const std::shared_ptr<const Dataset> dataset;
    const Partition partition;
    const std::shared_ptr<const Sampler> sampler;
    const std::shared_ptr<const NoiseSource> noise;
    ParameterPool pool;
    JournalRunner* journal{nullptr};   ///< view of the runner; null: no journal is kept
    std::unique_ptr<JobRunner> runner; ///< last: it uses all of the above
    double seconds{0.0};
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
      pool(options.vectors * model.ParameterCount())
{
    CheckModel(model, *dataset);
    CheckPartition(partition, *sampler, dataset->train.Size());
    runner =
        MakeRunner(options, {&model, dataset.get(), &partition, sampler.get(), noise.get(), &pool});
    if (options.journal)
    {
        auto keeper = std::make_unique<JournalRunner>(std::move(runner), pool);
        journal = keeper.get();
        runner = std::move(keeper);
    }
}

TrainingBackend::TrainingBackend(ModelSpec model,
                                 std::shared_ptr<const Dataset> dataset,
                                 Partition partition,
                                 std::shared_ptr<const Sampler> sampler,
                                 const Options& options)
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
    m_implementation->runner->Submit(std::move(job));
}

void
TrainingBackend::BeginBatch()
{
    m_implementation->runner->BeginBatch();
}

void
TrainingBackend::EndBatch()
{
    const Stopwatch stopwatch(m_implementation->seconds);
    m_implementation->runner->EndBatch();
}

void
TrainingBackend::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    m_implementation->runner->Withdraw(job);
}

void
TrainingBackend::Finish(const std::shared_ptr<NodeJob>& job)
{
    const Stopwatch stopwatch(m_implementation->seconds);
    m_implementation->runner->Finish(job);
}

void
TrainingBackend::FinishAll()
{
    const Stopwatch stopwatch(m_implementation->seconds);
    m_implementation->runner->FinishAll();
}

Evaluation
TrainingBackend::EvaluateModel(const ParameterHandle& parameters, std::size_t examples)
{
    const Stopwatch stopwatch(m_implementation->seconds);
    return m_implementation->runner->EvaluateModel(parameters->Data(), examples);
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

std::string
TrainingBackend::Device() const
{
    return m_implementation->runner->Device();
}

TimeBreakdown
TrainingBackend::Work() const
{
    return m_implementation->runner->Work();
}

void
TrainingBackend::TakeState(std::string& journal, std::string& state)
{
    const Stopwatch stopwatch(m_implementation->seconds);
    state = m_implementation->journal->TakeState();
    journal = m_implementation->journal->TakeJournal();
}

std::size_t
TrainingBackend::JournalBytes() const
{
    return m_implementation->journal != nullptr ? m_implementation->journal->JournalBytes() : 0;
}

void
TrainingBackend::Repeat(std::string journal, std::string state)
{
    m_implementation->journal->Repeat(std::move(journal), std::move(state));
}

bool
TrainingBackend::IsRepeating() const
{
    return m_implementation->journal != nullptr && m_implementation->journal->IsRepeating();
}

double
TrainingBackend::ComputeSeconds() const
{
    return m_implementation->seconds;
}

} // namespace dpdl
