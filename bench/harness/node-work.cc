// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "node-work.h"

namespace dpdl
{

namespace
{

constexpr RandomSeed SEED{1, 1};
constexpr std::uint32_t CLASSES = 10;
constexpr double CLIP = 1.0;
constexpr double NOISE = 1.0;
/// Examples of a node: several batches, so that no batch stays in the cache.
constexpr std::size_t BATCHES = 10;
/// Examples of all nodes together, above which nodes get fewer, but a batch each at least.
constexpr std::size_t MOST_EXAMPLES = 65536;

std::size_t
ExamplesOf(const NodeWork::Options& options)
{
    const std::size_t wanted = options.nodes * options.batch * BATCHES;
    return std::max(options.nodes * options.batch, std::min(wanted, MOST_EXAMPLES));
}

/// As GradientStep, but with the sum of the batch clipped.
class BatchClipStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override
    {
        float* gradient = context.Scratch(0);
        job.batch = context.GradientSum(job.state->Data(), context.Draw(job, 0), gradient);
        context.AddNoisyStep(context.ClipMean(WholeGradientRule(job), gradient), job);
    }
};

} // namespace

std::shared_ptr<const Dataset>
MakeRandomImages(std::size_t count, ImageShape shape)
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "random";
    dataset->shape = shape;
    dataset->classes = CLASSES;
    dataset->test.labels.assign(1, 0);
    dataset->test.pixels.assign(shape.Size(), 0);
    WordSequence words(RandomStream(SEED, RandomPurpose::TEST, 0, 0));
    Split& train = dataset->train;
    train.labels.resize(count);
    train.pixels.resize(count * shape.Size());
    for (double& label : train.labels)
    {
        label = words.Integer(CLASSES);
    }
    for (std::uint8_t& pixel : train.pixels)
    {
        pixel = static_cast<std::uint8_t>(words.Next());
    }
    return dataset;
}

ImageShape
BenchImage(const std::string& model)
{
    const bool colour = model == "cnn-c10" || model.rfind("resnet", 0) == 0 || model == "vit-s";
    return colour ? ImageShape{3, 32, 32} : ImageShape{1, 28, 28};
}

ModelSpec
BenchModel(const std::string& model)
{
    return MakeModel(model, BenchImage(model), CLASSES);
}

NodeWork::NodeWork(const Options& options)
    : m_options(options),
      m_batchStep(std::make_unique<BatchClipStep>())
{
    const auto dataset = MakeRandomImages(ExamplesOf(options), BenchImage(options.model));
    m_backend = std::make_unique<TrainingBackend>(
        BenchModel(options.model),
        dataset,
        MakePartition("even", dataset->train.labels, options.nodes, SEED),
        MakeSampler("fixed", options.batch, SEED),
        TrainingBackend::Options{options.engine, options.workers, SEED, {}, options.device});
    const std::vector<float> start = InitialParameters(m_backend->Model(), "default", SEED);
    for (std::size_t node = 0; node < options.nodes; ++node)
    {
        m_states.push_back(m_backend->Pool().AcquireCopy(start.data()));
    }
    m_next.resize(options.nodes);
}

std::shared_ptr<NodeJob>
NodeWork::MakeJob(NodeId node) const
{
    auto job = std::make_shared<NodeJob>();
    job->node = node;
    job->round = m_round;
    job->update.enabled = true;
    job->update.stepSize = m_options.stepSize;
    job->update.clip = CLIP;
    job->update.noise = NOISE;
    job->update.divisor = static_cast<double>(m_options.batch);
    job->update.step = m_options.clipping == Clipping::BATCH ? m_batchStep.get() : nullptr;
    return job;
}

void
NodeWork::Step()
{
    for (NodeId node = 0; node < m_states.size(); ++node)
    {
        const std::shared_ptr<NodeJob> job = MakeJob(node);
        job->state = m_states[node];
        m_backend->Submit(job);
    }
    m_backend->FinishAll();
    ++m_round;
}

void
NodeWork::Round()
{
    for (NodeId node = 0; node < m_states.size(); ++node)
    {
        const std::shared_ptr<NodeJob> job = MakeJob(node);
        job->mix = {{m_states[node], 0.5}, {m_states[(node + 1) % m_states.size()], 0.5}};
        job->state = m_next[node] = m_backend->Pool().Acquire();
        m_backend->Submit(job);
    }
    m_backend->FinishAll();
    m_states.swap(m_next);
    for (ParameterHandle& handle : m_next)
    {
        handle.reset();
    }
    ++m_round;
}

const ParameterVector&
NodeWork::State(std::size_t node) const
{
    return *m_states.at(node);
}

const TrainingBackend&
NodeWork::Backend() const
{
    return *m_backend;
}

} // namespace dpdl
