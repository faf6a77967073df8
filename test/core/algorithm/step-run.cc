// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-run.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

constexpr std::size_t PIXELS = 4;
constexpr std::size_t HIDDEN = 3;
constexpr std::size_t CLASSES = 3;

/// Pictures whose pixel number `label` is bright, the others are not.
Split
Blobs(std::size_t examples, NodeId stream)
{
    const RandomStream random(StepRun::SEED, RandomPurpose::TEST, stream, 0);
    Split split;
    for (std::size_t i = 0; i < examples; ++i)
    {
        const auto label = static_cast<std::uint8_t>(i % CLASSES);
        split.labels.push_back(label);
        for (std::size_t pixel = 0; pixel < PIXELS; ++pixel)
        {
            const std::uint32_t light = random.Integer(PIXELS * i + pixel, 100);
            split.pixels.push_back(static_cast<std::uint8_t>(light + (pixel == label ? 150 : 0)));
        }
    }
    return split;
}

std::shared_ptr<const Dataset>
BlobImages()
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "blobs";
    dataset->shape = {1, 2, 2};
    dataset->classes = CLASSES;
    dataset->train = Blobs(StepRun::NODES * StepRun::LOCAL, 0);
    dataset->test = Blobs(60, 1);
    return dataset;
}

ModelSpec
DeepLinear()
{
    return ModelSpec("deep-linear", {1, 2, 2}, {Linear{PIXELS, HIDDEN}, Linear{HIDDEN, CLASSES}});
}

Partition
Halves()
{
    Partition partition(StepRun::NODES);
    for (std::uint32_t i = 0; i < StepRun::NODES * StepRun::LOCAL; ++i)
    {
        partition[i % StepRun::NODES].push_back(i);
    }
    return partition;
}

/// out = W in + b, with W [rows, columns] and then b at @p z.
std::vector<double>
Affine(const double* z, const std::vector<double>& in, std::size_t rows)
{
    std::vector<double> out(z + rows * in.size(), z + rows * in.size() + rows);
    for (std::size_t row = 0; row < rows; ++row)
    {
        for (std::size_t column = 0; column < in.size(); ++column)
        {
            out[row] += z[row * in.size() + column] * in[column];
        }
    }
    return out;
}

/// The gradient of Affine()'s parameters: delta in^T, delta.
void
AppendGradient(std::vector<double>& gradient,
               const std::vector<double>& delta,
               const std::vector<double>& in)
{
    for (const double d : delta)
    {
        for (const double x : in)
        {
            gradient.push_back(d * x);
        }
    }
    gradient.insert(gradient.end(), delta.begin(), delta.end());
}

} // namespace

StepRun::StepRun(const Settings& settings)
    : m_settings(settings),
      m_graph(MakeGraphSequence("complete", NODES, SEED)),
      m_sampler(MakeSampler(settings.sampler, settings.batch, SEED)),
      m_partition(Halves()),
      m_ledger(NODES),
      m_backend(DeepLinear(), BlobImages(), Halves(), m_sampler, {settings.engine, 1, SEED}),
      m_plan(MakePlan())
{
    m_context.chunks = ChunkLayout(Model().ParameterCount(), 0);
    m_context.plan = &m_plan;
    m_context.graph = m_graph.get();
    m_context.backend = &m_backend;
    m_context.ledger = &m_ledger;
    m_context.observer = &m_observer;
}

LearningPlan
StepRun::MakePlan() const
{
    LearningPlanSettings settings;
    settings.algorithm = m_settings.preset;
    settings.rounds = m_settings.rounds;
    settings.localSamples = LOCAL;
    settings.batchSize = m_sampler->ExpectedSize(LOCAL);
    settings.samplingRate = m_sampler->Rate(LOCAL);
    settings.epsilon = m_settings.epsilon;
    settings.noise = m_settings.noise;
    settings.parameters = Model().ParameterCount();
    settings.sampler = m_sampler;
    settings.accountant = "rdp"; // the fastest
    return LearningPlan(settings);
}

const std::vector<std::vector<float>>&
StepRun::Run()
{
    const std::vector<float> initial = InitialParameters(Model(), "default", SEED);
    std::vector<std::unique_ptr<Learner>> learners;
    for (NodeId node = 0; node < NODES; ++node)
    {
        learners.push_back(std::make_unique<Learner>(node,
                                                     m_context,
                                                     m_backend.Pool().AcquireCopy(initial.data())));
    }
    for (Round round = 0; round <= m_settings.rounds; ++round)
    {
        std::vector<Share> shares;
        for (const auto& learner : learners)
        {
            learner->BeginRound(0.0);
        }
        for (const auto& learner : learners)
        {
            const std::vector<Share>& sent = learner->FinishStep(0.0);
            shares.insert(shares.end(), sent.begin(), sent.end());
        }
        for (const Share& share : shares)
        {
            learners[share.target]->Receive(share, 0.0);
        }
        for (const auto& learner : learners)
        {
            if (!learner->Finished())
            {
                learner->Mix(0.0);
            }
        }
    }
    m_states.clear();
    for (const auto& learner : learners)
    {
        const ParameterVector& z = *learner->State();
        m_states.emplace_back(z.Data(), z.Data() + z.Size());
    }
    return m_states;
}

std::vector<StepRun::Vector>
StepRun::Replay(const ReferenceStep& step) const
{
    const std::vector<float> initial = InitialParameters(Model(), "default", SEED);
    std::vector<Vector> states(NODES, Vector(initial.begin(), initial.end()));
    const bool sendsFirst = m_settings.preset.order == GossipOrder::SEND_FIRST;
    for (Round round = 0; round < m_settings.rounds; ++round)
    {
        std::vector<Vector> stepped = states;
        for (NodeId node = 0; node < NODES; ++node)
        {
            step(node, round, stepped[node]);
        }
        for (std::size_t i = 0; i < initial.size(); ++i)
        {
            const std::vector<Vector>& sent = sendsFirst ? states : stepped;
            const double mean = (sent[0][i] + sent[1][i]) / 2.0;
            for (NodeId node = 0; node < NODES; ++node)
            {
                const double move = sendsFirst ? stepped[node][i] - states[node][i] : 0.0;
                states[node][i] = mean + move;
            }
        }
    }
    return states;
}

std::vector<std::uint32_t>
StepRun::BatchOf(NodeId node, Round number) const
{
    std::vector<std::uint32_t> batch;
    m_sampler->Draw(m_partition[node], node, number, batch);
    return batch;
}

StepRun::Vector
StepRun::NoiseOf(NodeId node, Round number, double deviation, std::size_t count) const
{
    std::vector<float> noise(Model().ParameterCount(), 0.0F);
    if (deviation > 0.0)
    {
        MakeNoiseSource("philox", SEED)->AddNoise(noise.data(), count, {deviation}, node, number);
    }
    return Vector(noise.begin(), noise.end());
}

StepRun::Vector
StepRun::Gradient(const Vector& z, std::uint32_t example) const
{
    static const auto images = BlobImages();
    Vector x;
    for (std::size_t pixel = 0; pixel < PIXELS; ++pixel)
    {
        x.push_back(images->train.pixels[PIXELS * example + pixel] / 255.0);
    }
    const double* second = z.data() + (PIXELS + 1) * HIDDEN;
    const Vector hidden = Affine(z.data(), x, HIDDEN);
    Vector delta = Affine(second, hidden, CLASSES);
    double total = 0.0;
    for (double& score : delta)
    {
        score = std::exp(score);
        total += score;
    }
    for (std::size_t i = 0; i < CLASSES; ++i)
    {
        delta[i] = delta[i] / total - (images->train.labels[example] == i ? 1.0 : 0.0);
    }
    Vector back(HIDDEN, 0.0);
    for (std::size_t row = 0; row < CLASSES; ++row)
    {
        for (std::size_t column = 0; column < HIDDEN; ++column)
        {
            back[column] += delta[row] * second[row * HIDDEN + column];
        }
    }
    Vector gradient;
    AppendGradient(gradient, back, x);
    AppendGradient(gradient, delta, hidden);
    return gradient;
}

StepRun::Vector
StepRun::Sum(const Vector& z,
             const std::vector<std::uint32_t>& batch,
             const std::function<void(Vector&)>& clip) const
{
    Vector sum(z.size(), 0.0);
    for (const std::uint32_t example : batch)
    {
        Vector gradient = Gradient(z, example);
        clip(gradient);
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            sum[i] += gradient[i];
        }
    }
    return sum;
}

double
StepRun::Accuracy()
{
    const ParameterHandle z = m_backend.Pool().AcquireCopy(m_states.front().data());
    return m_backend.EvaluateModel(z).Accuracy();
}

double
StepRun::DistanceTo(const std::vector<Vector>& replay) const
{
    double distance = 0.0;
    double scale = 0.0;
    for (NodeId node = 0; node < NODES; ++node)
    {
        for (std::size_t i = 0; i < replay[node].size(); ++i)
        {
            scale = std::max(scale, std::fabs(replay[node][i]));
            distance = std::max(distance, std::fabs(replay[node][i] - m_states[node][i]));
        }
    }
    return distance / scale;
}

void
StepRun::Clip(Vector& gradient, double bound, std::size_t begin, std::size_t end)
{
    double square = 0.0;
    for (std::size_t i = begin; i < end; ++i)
    {
        square += gradient[i] * gradient[i];
    }
    const double factor = ClipFactor(std::sqrt(square), bound);
    for (std::size_t i = begin; i < end; ++i)
    {
        gradient[i] *= factor;
    }
}

} // namespace dpdl
