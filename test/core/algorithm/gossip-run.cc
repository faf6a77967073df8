// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gossip-run.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

GossipRun::GossipRun(std::shared_ptr<const GraphSequence> graph,
                     Round rounds,
                     LossPolicy policy,
                     std::size_t chunk,
                     std::size_t shared,
                     bool tracks)
    : m_graph(std::move(graph)),
      m_ledger(m_graph->Nodes()),
      m_backend(TinyModel(),
                TinyImages(),
                TinyPartition(),
                MakeSampler("full", 1, {}),
                {"native", 1, {}, {}, "cpu", false, tracks ? std::size_t{2} : std::size_t{1}}),
      m_plan(TinyPlan(rounds))
{
    m_context.chunks = tracks ? ChunkLayout(20, 10) : ChunkLayout(shared, chunk);
    m_context.renormalisedChunks = tracks && policy == LossPolicy::RUNNING_SUM ? 1 : 0;
    m_ledger = MassLedger(m_graph->Nodes(), m_context.chunks.Count());
    m_context.plan = &m_plan;
    m_context.graph = m_graph.get();
    m_context.backend = &m_backend;
    m_context.ledger = &m_ledger;
    m_context.observer = &m_observer;
    m_context.lossPolicy = policy;
    m_context.train = false;
    std::vector<NodeId> identity;
    for (NodeId node = 0; node < m_graph->Nodes(); ++node)
    {
        identity.push_back(node);
    }
    Start(identity);
}

void
GossipRun::Train(const AlgorithmPreset& algorithm, StepScale scale)
{
    m_plan = TinyPlan(m_plan.Rounds(), algorithm);
    m_context.train = true;
    m_context.stepScale = scale;
    Start(std::vector<std::vector<float>>(m_initial));
}

void
GossipRun::Compress(const Compression& compression)
{
    const std::vector<float> zero(m_backend.Pool().Dimension(), 0.0F);
    m_context.compression = compression;
    m_context.initial = m_backend.Pool().AcquireCopy(zero.data());
    Start(std::vector<std::vector<float>>(m_initial));
}

void
GossipRun::Start(const std::vector<NodeId>& names)
{
    std::vector<std::vector<float>> vectors;
    for (const NodeId name : names)
    {
        const RandomStream stream({1, 1}, RandomPurpose::TEST, name, 0);
        std::vector<float> values;
        for (std::size_t i = 0; i < m_backend.Model().ParameterCount(); ++i)
        {
            values.push_back(static_cast<float>(1.0 + stream.Uniform(i)));
        }
        vectors.push_back(std::move(values));
    }
    Start(vectors);
}

void
GossipRun::Start(const std::vector<std::vector<float>>& values)
{
    m_initial = values;
    for (std::vector<float>& value : m_initial)
    {
        value.resize(m_backend.Pool().Dimension());
    }
    m_learners.clear();
    for (NodeId node = 0; node < values.size(); ++node)
    {
        m_learners.push_back(
            std::make_unique<Learner>(node,
                                      m_context,
                                      m_backend.Pool().AcquireCopy(m_initial[node].data())));
        m_learners.back()->SetFeedback(
            [this](std::function<void()> refund) { m_nextBack.push_back(std::move(refund)); });
    }
}

void
GossipRun::Step(const Network& network, const std::function<void(std::vector<Share>&)>& arrange)
{
    for (const auto& learner : m_learners)
    {
        learner->BeginRound(0.0);
    }
    std::vector<Share> arriving;
    for (const auto& learner : m_learners)
    {
        Pass(*learner, learner->SendAhead(0.0), network, arriving);
    }
    for (const auto& learner : m_learners)
    {
        Pass(*learner, learner->FinishStep(0.0), network, arriving);
    }
    arriving.insert(arriving.end(), m_held.begin(), m_held.end());
    m_held.swap(m_nextHeld);
    m_nextHeld.clear();
    for (const std::function<void()>& refund : m_back)
    {
        refund();
    }
    m_back.swap(m_nextBack);
    m_nextBack.clear();
    if (arrange)
    {
        arrange(arriving);
    }
    for (const Share& share : arriving)
    {
        Learner& target = *m_learners[share.target];
        if (target.CanRead(share))
        {
            target.Receive(share, 0.0);
        }
        else if (target.ReceiveDamaged(share, 0.0))
        {
            m_learners[share.source]->Lose(share, {DropReason::CORRUPT}, 0.0);
        }
    }
    for (const auto& learner : m_learners)
    {
        learner->Mix(0.0);
    }
}

void
GossipRun::Pass(Learner& learner,
                const std::vector<Share>& shares,
                const Network& network,
                std::vector<Share>& arriving)
{
    for (const Share& share : shares)
    {
        const Fate fate = network ? network(share) : Fate::ARRIVE;
        const bool isDamaged = fate == Fate::DAMAGE;
        if (fate == Fate::LOSE ||
            (isDamaged && m_learners[share.target]->ReceiveDamaged(share, 0.0)))
        {
            learner.Lose(share, {isDamaged ? DropReason::CORRUPT : DropReason::LINK}, 0.0);
            continue;
        }
        (fate == Fate::HOLD ? m_nextHeld : arriving).push_back(share);
    }
}

std::vector<std::vector<float>>
GossipRun::Finish()
{
    std::vector<std::vector<float>> states;
    for (const auto& learner : m_learners)
    {
        learner->BeginRound(0.0);
    }
    for (const auto& learner : m_learners)
    {
        learner->FinishStep(0.0);
        const ParameterVector& z = *learner->State();
        states.emplace_back(z.Data(), z.Data() + z.Size());
    }
    return states;
}

std::vector<double>
GossipRun::InitialMean() const
{
    std::vector<double> mean(m_initial.front().size(), 0.0);
    for (const std::vector<float>& values : m_initial)
    {
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            mean[i] += values[i] / static_cast<double>(m_initial.size());
        }
    }
    return mean;
}

std::vector<double>
GossipRun::Mean(const std::vector<std::vector<float>>& states) const
{
    std::vector<double> mean(m_initial.front().size(), 0.0);
    for (NodeId node = 0; node < states.size(); ++node)
    {
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            mean[i] += m_ledger.MeanWeight(node).ToDouble() * states[node][i] /
                       static_cast<double>(states.size());
        }
    }
    return mean;
}

double
GossipRun::Distance(const std::vector<std::vector<float>>& states,
                    const std::vector<double>& expected)
{
    double distance = 0.0;
    double scale = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        scale = std::max(scale, std::abs(expected[i]));
        for (const std::vector<float>& z : states)
        {
            distance = std::max(distance, std::abs(z[i] - expected[i]));
        }
    }
    return distance / scale;
}

ModelSpec
GossipRun::TinyModel()
{
    return ModelSpec("tiny", {1, 2, 2}, {Linear{4, 2}});
}

std::shared_ptr<const Dataset>
GossipRun::TinyImages()
{
    auto dataset = std::make_shared<Dataset>();
    dataset->name = "tiny";
    dataset->shape = {1, 2, 2};
    dataset->classes = 2;
    for (Split* split : {&dataset->train, &dataset->test})
    {
        split->labels.push_back(1);
        split->pixels.assign(4, 128);
    }
    return dataset;
}

LearningPlan
GossipRun::TinyPlan(Round rounds, const AlgorithmPreset& algorithm)
{
    LearningPlanSettings settings;
    settings.algorithm = algorithm;
    settings.rounds = rounds;
    settings.localSamples = 1;
    settings.batchSize = 1.0;
    return LearningPlan(settings);
}

} // namespace dpdl
