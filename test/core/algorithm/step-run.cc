// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-run.h"

#include <cmath>

namespace dpdl
{

namespace
{

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

} // namespace

StepRun::StepRun(const Settings& settings)
    : m_settings(settings),
      m_graph(MakeGraphSequence("complete", NODES, SEED)),
      m_sampler(MakeSampler(settings.sampler, settings.batch, SEED)),
      m_images(BlobImages(NODES * LOCAL, {SEED.seed, SEED.run + settings.pictures})),
      m_partition(Halves()),
      m_ledger(NODES),
      m_backend(DeepLinear(), m_images, m_partition, m_sampler, {"native", 1, SEED}),
      m_plan(MakePlan())
{
    m_context.chunks = ChunkLayout(SharedEnd(), 0);
    m_context.plan = &m_plan;
    m_context.graph = m_graph.get();
    m_context.backend = &m_backend;
    m_context.ledger = &m_ledger;
    m_context.observer = &m_observer;
}

std::size_t
StepRun::SharedEnd() const
{
    const std::size_t parts = m_settings.preset.sharedLayers;
    return parts == 0 ? Model().ParameterCount() : Model().PartEnd(parts);
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
    settings.seed = SEED;
    settings.nodes.assign(NODES, settings);
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

double
StepRun::Accuracy()
{
    const ParameterHandle z = m_backend.Pool().AcquireCopy(m_states.front().data());
    return m_backend.EvaluateModel(z, Evaluation::ALL).Accuracy();
}

double
StepRun::SharedDistanceTo(const StepRun& other) const
{
    double square = 0.0;
    for (std::size_t i = 0; i < SharedEnd(); ++i)
    {
        const double difference = m_states[0][i] - other.m_states[0][i];
        square += difference * difference;
    }
    return std::sqrt(square);
}

} // namespace dpdl
