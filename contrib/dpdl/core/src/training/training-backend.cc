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

// TrainingBackend: checks its inputs and chooses a runner: worker threads or a device, optionally
// with a journal. TrainingBackend forwards all jobs to the runner.

namespace dpdl
{

namespace
{

/// Checks that all features of a split are token ids of the model's vocabulary. Models without a
/// vocabulary accept all features.
/// @throws UsageError naming the value and the accepted range
void
CheckTokens(const ModelSpec& model, const Split& split)
{
    if (model.tokens == 0)
    {
        return;
    }
    const std::string what = "dataset for the embedding of model '" + model.Name() + "'";
    const std::string accepted =
        "whole numbers from 0 to " + std::to_string(model.tokens - 1) + ", of a type such as int32";
    DPDL_REFUSE_IF(!split.pixels.empty(), what, "bytes, which are scaled to [0, 1]", accepted);
    for (const float value : split.values)
    {
        DPDL_REFUSE_IF(!(value >= 0.0F && value < static_cast<float>(model.tokens)) ||
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

TrainingBackend::TrainingBackend(ModelSpec model,
                                 std::shared_ptr<const Dataset> dataset,
                                 Partition partition,
                                 std::shared_ptr<const Sampler> sampler,
                                 const Options& options)
    : m_model(std::move(model)),
      m_dataset(std::move(dataset)),
      m_partition(std::move(partition)),
      m_sampler(std::move(sampler)),
      m_noise(options.noise ? options.noise : MakeNoiseSource("philox", options.seed)),
      m_pool(options.vectors * m_model.ParameterCount())
{
    CheckModel(m_model, *m_dataset);
    CheckPartition(m_partition, *m_sampler, m_dataset->train.Size());
    m_runner = MakeRunner(
        options,
        {&m_model, m_dataset.get(), &m_partition, m_sampler.get(), m_noise.get(), &m_pool});
    if (options.journal)
    {
        auto keeper = std::make_unique<JournalRunner>(std::move(m_runner), m_pool);
        m_journal = keeper.get();
        m_runner = std::move(keeper);
    }
}

TrainingBackend::~TrainingBackend() = default;

void
TrainingBackend::Submit(std::shared_ptr<NodeJob> job)
{
    if ((!job->state && job->mix.empty()) || job->node >= m_partition.size())
    {
        throw Error("a job needs a state and a node of the partition");
    }
    if (job->update.enabled && std::isfinite(job->update.clip))
    {
        CheckPerExampleGradients(m_model);
    }
    m_runner->Submit(std::move(job));
}

void
TrainingBackend::BeginBatch()
{
    m_runner->BeginBatch();
}

void
TrainingBackend::EndBatch()
{
    const Stopwatch stopwatch(m_seconds);
    m_runner->EndBatch();
}

void
TrainingBackend::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    m_runner->Withdraw(job);
}

void
TrainingBackend::Finish(const std::shared_ptr<NodeJob>& job)
{
    const Stopwatch stopwatch(m_seconds);
    m_runner->Finish(job);
}

void
TrainingBackend::FinishAll()
{
    const Stopwatch stopwatch(m_seconds);
    m_runner->FinishAll();
}

Evaluation
TrainingBackend::EvaluateModel(const ParameterHandle& parameters, std::size_t examples)
{
    const Stopwatch stopwatch(m_seconds);
    return m_runner->EvaluateModel(parameters->Data(), examples);
}

std::optional<MeanEvaluation>
TrainingBackend::EvaluateMean(const std::vector<ParameterHandle>& models, std::size_t examples)
{
    const Stopwatch stopwatch(m_seconds);
    return m_runner->EvaluateMean(models, examples);
}

std::string
TrainingBackend::Device() const
{
    return m_runner->Device();
}

TimeBreakdown
TrainingBackend::Work() const
{
    return m_runner->Work();
}

void
TrainingBackend::TakeState(std::string& journal, std::string& state)
{
    const Stopwatch stopwatch(m_seconds);
    state = m_journal->TakeState();
    journal = m_journal->TakeJournal();
}

std::size_t
TrainingBackend::JournalBytes() const
{
    return m_journal != nullptr ? m_journal->JournalBytes() : 0;
}

void
TrainingBackend::Repeat(std::string journal, std::string state)
{
    m_journal->Repeat(std::move(journal), std::move(state));
}

bool
TrainingBackend::IsRepeating() const
{
    return m_journal != nullptr && m_journal->IsRepeating();
}

} // namespace dpdl
