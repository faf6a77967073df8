// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-runner.h"

#include "dpdl/base/errors.h"
#include "dpdl/training/clip-rule.h"
#include "stopwatch.h"

#include <algorithm>
#include <set>
#include <utility>

// DeviceRunner divides pending jobs into groups that fit into memory. For each group it mixes,
// averages, evaluates, copies and steps on the device before it downloads the results.

namespace dpdl
{

namespace
{

/// Calls @p work. Converts a DeviceError to an Error whose one line advises the user.
template <typename Work>
auto
ExplainFailures(const Work& work)
{
    try
    {
        return work();
    }
    catch (const cuda::DeviceError& error)
    {
        throw Error(std::string("device: ") + error.what() +
                    (error.IsOutOfMemory()
                         ? "; expected fewer nodes, a smaller batchSize or model, or "
                           "--device=cpu"
                         : "; --device=cpu computes without it"));
    }
}

/// True if all jobs start from the same values in host memory.
bool
StartFromSameValues(const std::vector<std::shared_ptr<NodeJob>>& jobs)
{
    const ParameterHandle& first = jobs.front()->state;
    return std::all_of(jobs.begin(), jobs.end(), [&](const auto& job) {
        return job->mix.empty() && job->state->Remote() == nullptr &&
               std::equal(first->Data(), first->Data() + first->Size(), job->state->Data());
    });
}

} // namespace

DeviceRunner::DeviceRunner(const RunnerSupplies& supplies,
                           RandomSeed seed,
                           std::shared_ptr<cuda::DeviceExecutor> executor,
                           std::unique_ptr<GradientEngine> engine)
    : m_supplies(supplies),
      m_seed(seed),
      m_executor(std::move(executor)),
      m_states(m_executor, supplies.model->ParameterCount()),
      m_mixer(*m_executor, supplies.model->ParameterCount()),
      m_averager(*m_executor, supplies.model->ParameterCount()),
      m_hasFloatSums(engine == nullptr),
      m_round(*supplies.model, *supplies.dataset, *m_executor, std::move(engine))
{
    DPDL_REFUSE_IF(m_hasFloatSums && supplies.model->Layers().empty(),
                   "device",
                   "cuda",
                   "cpu for model '" + supplies.model->Name() +
                       "', which is not a chain of layers");
    DPDL_REFUSE_IF(supplies.noise->Name() != "philox",
                   "device",
                   "cuda",
                   "cpu for noise source '" + supplies.noise->Name() + "'");
}

void
DeviceRunner::Submit(std::shared_ptr<NodeJob> job)
{
    const std::string reason = WhyNotOnDevice(*job);
    DPDL_REFUSE_IF(!reason.empty(), "device", "cuda", "cpu for " + reason);
    m_pending.push_back(std::move(job));
}

void
DeviceRunner::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    m_pending.erase(std::remove(m_pending.begin(), m_pending.end(), job), m_pending.end());
}

void
DeviceRunner::Finish(const std::shared_ptr<NodeJob>& job)
{
    if (std::find(m_pending.begin(), m_pending.end(), job) != m_pending.end())
    {
        RunPending();
    }
}

std::size_t
DeviceRunner::RowBytes() const
{
    return m_supplies.model->ParameterCount() * sizeof(float);
}

Release
DeviceRunner::Record(const DeviceStep& step, NodeJob& job) const
{
    const std::size_t local = (*m_supplies.partition)[job.node].size();
    Release record;
    record.node = job.node;
    record.round = job.round;
    record.noise = step.rule.noise;
    record.mechanism = record.noise > 0.0 ? m_supplies.noise->Mechanism() : "none";
    // The bound of float32 sums holds for all batches of up to SUM_BLOCK examples, so it reveals
    // nothing about the size of such a batch.
    const std::size_t largest = std::max(SUM_BLOCK, step.examples.size());
    record.sensitivity =
        step.clip *
        (1.0 + (m_hasFloatSums ? DeviceSumRounding(largest)
                               : SumRounding(m_supplies.sampler->PublicExamples(local))));
    record.values = m_supplies.model->ParameterCount();
    record.sampler = m_supplies.sampler->AccountingName();
    record.rate = m_supplies.sampler->Rate(local);
    record.epoch = m_supplies.sampler->Epoch(job.update.stepsBefore, local);
    record.flags = ReleaseFlag::BATCH_DEPENDENT_GRADIENT |
                   (record.noise > 0.0 ? ReleaseFlag::FLOAT_NOISE : ReleaseFlag::NONE);
    if (job.update.isSummed)
    {
        // Copy the state before the step changes it.
        std::vector<float> state(record.values);
        job.state->Remote()->Fetch(state.data());
        MeasureNoise(state.data(), state.size(), local, record, job);
    }
    return record;
}

Evaluation
DeviceRunner::EvaluateModel(const float* parameters, std::size_t examples)
{
    return ExplainFailures([&] {
        const Stopwatch stopwatch(m_seconds.evaluation);
        const std::shared_ptr<DeviceStates::Block> row = m_states.Take(1);
        m_executor->Upload(DeviceStates::Data(*row), parameters, RowBytes());
        return m_round.Evaluate(DeviceStates::Data(*row), 1, examples).front();
    });
}

std::optional<MeanEvaluation>
DeviceRunner::EvaluateMean(const std::vector<ParameterHandle>& models, std::size_t examples)
{
    return ExplainFailures([&]() -> std::optional<MeanEvaluation> {
        const Stopwatch stopwatch(m_seconds.evaluation);
        m_averages.Clear();
        for (const ParameterHandle& model : models)
        {
            m_averages.entries.push_back({m_states.RowOf(*model), 1.0, 0, model->Size()});
        }
        const std::shared_ptr<DeviceStates::Block> row = m_states.Take(1);
        float* const mean = DeviceStates::Data(*row);
        const double distance = m_averager.Mean(m_averages, mean);
        return MeanEvaluation{distance, m_round.Evaluate(mean, 1, examples).front()};
    });
}

void
DeviceRunner::RunPending()
{
    const Jobs jobs = std::exchange(m_pending, {});
    ExplainFailures([&] {
        DrawBatches(jobs);
        for (std::size_t first = 0; first < jobs.size(); first += m_nodesAtOnce)
        {
            Run(jobs, first, std::min(m_nodesAtOnce, jobs.size() - first));
        }
    });
}

void
DeviceRunner::DrawBatches(const Jobs& jobs)
{
    m_steps.resize(std::max(m_steps.size(), jobs.size()));
    std::size_t largest = m_largestBatch;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const NodeJob& job = *jobs[i];
        DeviceStep& step = m_steps[i];
        step.examples.clear();
        step.rule.scale = 0.0F;
        if (job.update.enabled)
        {
            m_supplies.sampler->Draw((*m_supplies.partition)[job.node],
                                     job.node,
                                     job.update.stepsBefore,
                                     step.examples);
            step.clip = job.update.clip;
            step.rule = {static_cast<float>(job.update.stepSize / job.update.divisor),
                         static_cast<float>(job.update.noise),
                         {{m_seed.seed, m_seed.run},
                          {static_cast<std::uint32_t>(RandomPurpose::NOISE), job.node, job.round}}};
            largest = std::max(largest, step.examples.size());
        }
    }
    if (largest > m_largestBatch || m_largestBatch == 0)
    {
        m_largestBatch = std::max<std::size_t>(largest, 1);
        m_nodesAtOnce = m_round.NodesAtOnce(m_largestBatch);
    }
}

void
DeviceRunner::Run(const Jobs& jobs, std::size_t first, std::size_t count)
{
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const auto end = static_cast<std::ptrdiff_t>(first + count);
    Group group{{jobs.begin() + begin, jobs.begin() + end}, &m_steps[first], m_states.Take(count)};
    group.rows = DeviceStates::Data(*group.states);
    m_round.Prepare(count, m_largestBatch);
    Mix(group);
    BindStates(group);
    Average(group);
    Evaluate(group);
    Copy(group);
    Step(group);
    // Download the mixing errors last, when the device has little left to compute.
    const std::vector<double> errors =
        group.isMixed ? m_mixer.Errors() : std::vector<double>(count, 0.0);
    for (std::size_t row = 0; row < count; ++row)
    {
        group.jobs[row]->mixError = errors[row];
        group.jobs[row]->done = true;
    }
}

void
DeviceRunner::Mix(Group& group)
{
    const Stopwatch stopwatch(m_seconds.mixing);
    m_mix.Clear();
    for (const std::shared_ptr<NodeJob>& job : group.jobs)
    {
        for (const MixTerm& term : job->mix)
        {
            m_mix.entries.push_back(
                {m_states.RowOf(*term.source), term.coefficient, term.begin, term.end});
        }
        m_mix.EndRow();
    }
    if (!m_mix.entries.empty())
    {
        m_mixer.Mix(m_mix, group.rows);
        group.isMixed = true;
    }
    group.areEqual = StartFromSameValues(group.jobs);
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        NodeJob& job = *group.jobs[row];
        if (job.mix.empty())
        {
            m_executor->Copy(group.rows + row * m_supplies.model->ParameterCount(),
                             m_states.RowOf(group.areEqual ? *group.jobs[0]->state : *job.state),
                             RowBytes());
        }
    }
}

void
DeviceRunner::BindStates(Group& group)
{
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        NodeJob& job = *group.jobs[row];
        job.mix.clear();
        if (!job.state)
        {
            job.state = m_supplies.pool->Acquire();
        }
        m_states.Bind(*job.state, group.states, row);
    }
}

void
DeviceRunner::Average(Group& group)
{
    const auto isAsked = [](const std::shared_ptr<NodeJob>& job) { return job->averaged > 0; };
    if (std::none_of(group.jobs.begin(), group.jobs.end(), isAsked))
    {
        return;
    }
    const Stopwatch stopwatch(m_seconds.mixing);
    m_averages.Clear();
    for (const std::shared_ptr<NodeJob>& job : group.jobs)
    {
        const std::vector<MixTerm> alone{{job->state, 1.0}};
        for (const MixTerm& term : isAsked(job) ? AverageTerms(*job) : alone)
        {
            m_averages.entries.push_back(
                {m_states.RowOf(*term.source), term.coefficient, term.begin, term.end});
        }
        m_averages.EndRow();
    }
    group.averages = m_states.Take(group.jobs.size());
    m_averager.Mix(m_averages, DeviceStates::Data(*group.averages));
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        if (isAsked(group.jobs[row]))
        {
            group.jobs[row]->average = m_supplies.pool->Acquire();
            m_states.Bind(*group.jobs[row]->average, group.averages, row);
        }
    }
}

void
DeviceRunner::Evaluate(Group& group)
{
    const Stopwatch stopwatch(m_seconds.evaluation);
    float* const models = group.averages ? DeviceStates::Data(*group.averages) : group.rows;
    // Nodes at different rounds may request different numbers of test examples.
    std::set<std::size_t> numbers;
    for (const std::shared_ptr<NodeJob>& job : group.jobs)
    {
        numbers.insert(job->evaluate);
    }
    numbers.erase(0);
    const bool isOne = group.areEqual && !group.averages;
    for (const std::size_t examples : numbers)
    {
        const auto evaluations = m_round.Evaluate(models, isOne ? 1 : group.jobs.size(), examples);
        for (std::size_t row = 0; row < group.jobs.size(); ++row)
        {
            if (group.jobs[row]->evaluate == examples)
            {
                group.jobs[row]->evaluation = evaluations[isOne ? 0 : row];
            }
        }
    }
}

void
DeviceRunner::Copy(Group& group)
{
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        const ParameterHandle& copy = group.jobs[row]->copy;
        if (copy)
        {
            const std::shared_ptr<DeviceStates::Block> block = m_states.Take(1);
            m_executor->Copy(DeviceStates::Data(*block),
                             group.rows + row * m_supplies.model->ParameterCount(),
                             RowBytes());
            m_states.Bind(*copy, block, 0);
        }
    }
}

void
DeviceRunner::Step(Group& group)
{
    const auto isAsked = [](const std::shared_ptr<NodeJob>& job) { return job->update.enabled; };
    if (std::none_of(group.jobs.begin(), group.jobs.end(), isAsked))
    {
        return;
    }
    const Stopwatch stopwatch(m_seconds.step);
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        NodeJob& job = *group.jobs[row];
        if (job.update.enabled)
        {
            job.releases = {Record(group.steps[row], job)};
        }
    }
    double seconds = 0.0;
    std::vector<BatchResult> results;
    {
        const Stopwatch step(seconds);
        results = m_round.Step(group.rows, group.steps, group.jobs.size());
    }
    for (std::size_t row = 0; row < group.jobs.size(); ++row)
    {
        NodeJob& job = *group.jobs[row];
        if (job.update.enabled)
        {
            job.batch = results[row];
            job.stepSeconds = seconds / static_cast<double>(group.jobs.size());
        }
    }
}

} // namespace dpdl
