// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/topology-warnings.h"
#include "dpdl/trace/run-origin.h"
#include "dpdl/training/gradient-engine.h"
#include "resolver.h"

#include <algorithm>
#include <utility>

// Last steps of Resolver: noise seed, node weights, sampler, noise, chunks, plan and compute model.

namespace dpdl
{

void
Resolver::TakeNoiseSeed()
{
    m_run.noiseSeed = m_run.seed;
    if (!m_run.independentNoise)
    {
        return;
    }
    std::string all = m_facts.identity;
    const RunOptions shown = m_run.AsSettings();
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        const std::string name = option.name;
        if (name != "trace" && name != "overwrite" && name != "workers")
        {
            all += "\n" + name + "=" + option.show(shown);
        }
    }
    const std::uint64_t digest = std::stoull(DigestOf(all.data(), all.size()), nullptr, 16);
    m_run.noiseSeed = {static_cast<std::uint32_t>(digest >> 32),
                       static_cast<std::uint32_t>(digest)};
}

/// Gives the nodes of an algorithm with a server unequal push-sum weights: node k with n_k examples
/// gets min(n_k, cap), where cap is a parameter of the algorithm. The weights stay equal if n_k is
/// private (option `publicExamples`), or if the options use no push-sum weights.
void
Resolver::WeighNodes()
{
    if (m_run.preset.exchange != Exchange::SERVER || m_run.publicExamples > 0 ||
        m_run.lossPolicy == LossPolicy::RENORMALISE || m_asked.stepScale == StepScale::PLAIN)
    {
        return;
    }
    std::vector<double> parts;
    for (const auto& examples : m_run.examples)
    {
        parts.push_back(std::min(static_cast<double>(examples.size()), m_run.preset.cap));
    }
    if (!std::equal(parts.begin() + 1, parts.end(), parts.begin()))
    {
        m_run.stepScale = StepScale::BY_WEIGHT;
        m_run.graph = MakeServerGraph(parts);
        m_run.masses = parts;
    }
}

std::shared_ptr<const Sampler>
Resolver::TakeSampler() const
{
    const std::size_t parts = m_run.preset.sampledParts;
    if (parts == 1)
    {
        return MakeSampler(m_run.sampler, m_run.batchSize, m_run.noiseSeed, m_run.publicExamples);
    }
    return MakeCyclicSampler(parts, m_run.batchSize, m_run.noiseSeed);
}

void
Resolver::MakeNoise()
{
    if (!m_run.preset.correlate)
    {
        m_run.noiseDraws = MakeNoiseSource(m_run.noiseSource, m_run.noiseSeed);
        return;
    }
    NoiseMix mix = m_run.preset.correlate(*m_run.graph, m_run.rounds);
    m_run.noiseFigures = mix.figures;
    m_run.noiseDraws = MakeCorrelatedNoise(std::move(mix), m_run.noiseSeed);
}

void
Resolver::CutIntoChunks()
{
    const AlgorithmPreset& preset = m_run.preset;
    if (preset.chunks > 0)
    {
        const std::size_t shared = SharedParameters(m_run);
        m_run.chunkBytes = sizeof(float) * ((shared + preset.chunks - 1) / preset.chunks);
    }
}

void
Resolver::CutModel()
{
    m_run.chunks = ResolveChunks(m_run, SharedParameters(m_run));
    const AlgorithmPreset& preset = m_run.preset;
    if (preset.tracks)
    {
        const std::size_t parameters = m_run.modelSpec->ParameterCount();
        m_run.chunks = ChunkLayout(StateVectors(preset) * parameters, parameters);
    }
    if (IsEstimating(m_run) && !preset.sensitivity->isOracle && !IsDoublyStochastic(*m_run.graph))
    {
        m_run.warnings.emplace_back(
            "the estimated sensitivity is no bound on this topology: where nodes hear more or less "
            "than they send, w differs, and x with it, though all z are equal");
    }
}

void
Resolver::BuildPlan()
{
    LearningPlanSettings plan;
    const std::vector<double> epsilons = m_run.epsilon.Of(m_run.nodes);
    const Sampler& sampler = *m_run.batchSampler;
    for (NodeId node = 0; node < m_run.nodes; ++node)
    {
        const std::size_t local = sampler.PublicExamples(m_run.examples.at(node).size());
        plan.nodes.push_back(
            {local, sampler.ExpectedSize(local), sampler.Rate(local), epsilons[node]});
    }
    plan.algorithm = m_run.preset;
    plan.mode = m_run.mode;
    plan.rounds = m_run.rounds;
    plan.delta = m_run.delta;
    plan.noise = m_run.noise;
    plan.parameters = m_run.modelSpec->ParameterCount();
    plan.sampler = m_run.batchSampler;
    plan.noiseSource = m_run.noiseDraws;
    plan.shared = std::min(m_run.chunks.Parameters(), plan.parameters);
    plan.ownPart = plan.shared < plan.parameters && !m_run.preset.step->ProtectsOwnPart();
    // LibTorch sums in double precision on the CUDA device also. So only the native engine has
    // float32 sums on the device.
    plan.floatSums =
        m_run.device == "cuda" && ResolveEngine(m_run.engine, *m_run.modelSpec) == "native";
    plan.accountant = m_run.accountant;
    plan.adjacency = m_run.adjacency;
    plan.seed = m_run.seed;
    if (m_run.recipe != "none")
    {
        plan.flags = ReleaseFlag::HPARAM_SEARCH; // the options were tuned on this dataset
    }
    plan.watch = [this](std::size_t done, std::size_t of) {
        Tell("noise schedule " + std::to_string(done + 1) + " of " + std::to_string(of));
    };
    m_run.plan = std::make_shared<const LearningPlan>(plan);
    Warn(PrivacyWarnings(m_run));
}

void
Resolver::BuildComputeModel()
{
    double seconds = 0.0;
    switch (m_run.compute.kind)
    {
    case ComputeKind::FIXED:
        seconds = m_run.compute.seconds;
        break;
    case ComputeKind::PROFILE: {
        const ComputeProfile& profile = ComputeProfiles().Get(m_run.compute.profile);
        double largest = 0.0;
        for (const NodeId node : m_run.plan->Representatives())
        {
            largest = std::max(largest, m_run.plan->BatchSize(node));
        }
        const double gradient = TrainingFlops(*m_run.modelSpec) * largest;
        seconds = m_run.preset.step->Iterations() * (gradient / profile.flops + profile.overhead);
        break;
    }
    case ComputeKind::MEASURED:
        m_run.warnings.push_back("--compute=measured: " + UNREPEATABLE);
        break;
    }
    RequireTime("option 'compute', time of the slowest node",
                ShowNumber(seconds * m_run.compute.heterogeneity) + "s",
                seconds * m_run.compute.heterogeneity);
    m_run.computeModel =
        std::make_shared<const ComputeModel>(seconds, m_run.compute.heterogeneity, m_run.seed);
    RefuseStorms(m_run.failureEvents, *m_run.graph, m_run.rounds * seconds);
}

} // namespace dpdl
