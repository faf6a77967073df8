// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/resolve.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/topology-warnings.h"
#include "dpdl/topology/wrapped-graphs.h"
#include "resolver.h"

#include <algorithm>

// Resolves the options of a run in a fixed order: numbers, algorithm, failures, topology, data,
// noise, chunks, plan.

namespace dpdl
{

void
Resolver::TakeNumbers()
{
    // q is not measured if this process does not receive the shares that nodes of other ranks
    // mixed. q is also not measured if shares may be mixed before their round, because no product
    // of mixing matrices describes such a run.
    const bool areAllHeard = m_run.part.IsWhole() || m_run.rankLink;
    m_run.measureQ = m_run.measureQ && areAllHeard && !m_run.MixesEarly();
    m_run.batchSize = m_asked.batchSize.value_or(m_run.batchSize);
    m_run.epsilon = m_asked.epsilon.value_or(m_run.epsilon);
    m_run.transport = m_asked.transport.value_or(m_run.transport);
    m_run.link = m_run.link.value_or(AskedLink(m_asked));
    m_run.compute = m_asked.compute.value_or(m_run.compute);
    m_run.stepScale = ResolveStepScale(m_asked);
    m_run.staleness = m_run.schedule == Schedule::ASYNCHRONOUS ? m_asked.staleness.value_or(1)
                      : m_run.MixesEarly()                     ? m_run.rounds
                                                               : 0;
}

void
Resolver::TakePreset()
{
    m_run.preset = ResolvePreset(m_asked);
    TakeExchange();
    TakeOwnRules();
    m_run.noiseSource = TakeNoiseSource();
    m_run.clip = m_run.preset.clip > 0.0 ? std::optional(m_run.preset.clip) : m_asked.clip;
}

/// Adapts an algorithm whose nodes do not exchange models: sets its topology. For one learner with
/// the examples of all nodes, also sets the number of nodes, the partition and the batch size.
void
Resolver::TakeExchange()
{
    if (m_run.preset.exchange == Exchange::MODELS)
    {
        return;
    }
    const bool hasServer = m_run.preset.exchange == Exchange::SERVER;
    m_run.topology = hasServer ? SERVER_GRAPH : NO_EDGES;
    if (m_run.preset.exchange != Exchange::EXAMPLES)
    {
        return;
    }
    DPDL_REFUSE_IF(!m_run.part.IsWhole(),
                   "option 'algorithm'",
                   m_run.algorithm,
                   "another one on several ranks: it runs on one node");
    m_run.partition = "contiguous";
    m_run.nodes = 1;
    m_run.batchSize *= m_asked.nodes;
    m_run.warnings.push_back(m_run.algorithm + ": node 0 learns from the examples of all " +
                             std::to_string(m_asked.nodes) + " nodes, in batches " +
                             std::to_string(m_asked.nodes) + " times as large");
}

/// Applies the topology, the policy for lost messages and the step scale that the algorithm
/// prescribes.
void
Resolver::TakeOwnRules()
{
    const AlgorithmPreset& preset = m_run.preset;
    if (preset.topology)
    {
        m_run.topology = preset.topology(m_run.nodes);
    }
    if (preset.lossPolicy)
    {
        const std::string own = LossPolicies().NameOf(*preset.lossPolicy);
        DPDL_REFUSE_IF(m_asked.lossPolicy != LossPolicy::NONE &&
                           m_asked.lossPolicy != *preset.lossPolicy,
                       "option 'lossPolicy'",
                       LossPolicies().NameOf(m_asked.lossPolicy),
                       "'" + own + "', which " + m_run.algorithm + " is defined with");
        m_run.lossPolicy = *preset.lossPolicy;
    }
    DPDL_REFUSE_IF(preset.tracks &&
                       m_asked.stepScale.value_or(StepScale::PLAIN) != StepScale::PLAIN,
                   "option 'stepScale'",
                   "by-weight",
                   "plain: " + m_run.algorithm + " follows a sum, not a mean");
    m_run.stepScale = preset.tracks ? StepScale::PLAIN : m_run.stepScale;
    // q is measured only if one matrix per round describes the mixing. Chunks with separate targets
    // mix by different matrices, and no matrix describes a robust mixing rule.
    m_run.measureQ = m_run.measureQ && !preset.tracks && preset.chunks == 0 &&
                     ParseMixRule(m_run.mix).IsAverage();
}

/// Name of the noise source that the algorithm prescribes; without a prescribed source, the source
/// of option `noiseSource`.
/// @throws UsageError if the option contradicts the algorithm
std::string
Resolver::TakeNoiseSource() const
{
    const std::string& own = m_run.preset.noiseSource;
    const std::string source = m_asked.noiseSource.value_or(m_run.noiseSource);
    DPDL_REFUSE_IF(!own.empty() && m_asked.noiseSource.value_or(own) != own,
                   "option 'noiseSource'",
                   source,
                   "'" + own + "', the one that " + m_run.algorithm + " is defined with");
    return own.empty() ? source : own;
}

void
Resolver::BuildGraph()
{
    const AlgorithmPreset& preset = m_run.preset;
    const std::string contacts = "contacts:";
    const bool hasContacts = m_run.topology.rfind(contacts, 0) == 0;
    DPDL_REFUSE_IF(m_run.contactsStart > 0.0 && !hasContacts,
                   "option 'contactsStart'",
                   ShowNumber(m_run.contactsStart),
                   "0, or another start with --topology=contacts:PATH");
    m_run.graph = m_run.contactsStart > 0.0
                      ? ReadContactFile(m_run.topology.substr(contacts.size()),
                                        m_run.nodes,
                                        m_run.contactsStart)
                      : MakeGraphSequence(m_run.topology, m_run.nodes, m_run.seed);
    if (preset.sensitivity && preset.sensitivity->syncPeriod > 0)
    {
        m_run.graph =
            std::make_shared<SynchronisedGraphs>(m_run.graph, preset.sensitivity->syncPeriod);
    }
    const double rate = ResolveMixingRate(m_run);
    if (rate < 1.0)
    {
        m_run.graph = std::make_shared<LazyGraphs>(m_run.graph, rate);
    }
    m_run.graph->Attach(m_world);
    if (preset.doublyStochastic)
    {
        RequireDoublyStochastic(*m_run.graph, m_run.topology, m_run.algorithm);
    }
    if (preset.exchange == Exchange::MODELS)
    {
        Warn(TopologyWarnings(*m_run.graph));
    }
    Warn(WarnOfFailures(m_run.failureEvents, *m_run.graph));
    RequirePositions(m_run.failureEvents, m_run.nodes, [this](NodeId node) {
        return m_world.position ? m_world.position(node) : m_run.graph->PositionOf(node);
    });
    if (!m_run.part.IsWhole())
    {
        CheckDivisible(m_run);
    }
}

void
Resolver::TakeData()
{
    ModelInfo(m_run.model);
    m_run.data = DataOf(m_run, m_run.samples, m_run.testSamples);
    Warn(DatasetWarnings(m_run));
    m_run.modelSpec = std::make_shared<const ModelSpec>(
        MakeModel(m_run.model, m_run.data->shape, m_run.data->classes));
    if (m_run.preset.isPrivate)
    {
        CheckPerExampleGradients(*m_run.modelSpec);
    }
    const std::string& reason = m_run.modelSpec->engineReason;
    Warn(reason.rfind("engine ", 0) == 0 ? std::vector<std::string>{reason}
                                         : std::vector<std::string>{});
    CutIntoChunks();
    CheckModel(m_run);
    m_run.initial = InitialParameters(*m_run.modelSpec, m_run.init, m_run.seed);
    m_run.initial.resize(StateVectors(m_run.preset) * m_run.initial.size());
    m_run.examples = MakePartition(m_run.partition,
                                   m_run.data->train.labels,
                                   m_run.nodes,
                                   m_run.seed,
                                   m_run.data->train.owners);
}

void
Resolver::FitBatchSize()
{
    const auto [smallest, largest] =
        std::minmax_element(m_run.examples.begin(),
                            m_run.examples.end(),
                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const std::string node = "node " + std::to_string(smallest - m_run.examples.begin());
    DPDL_REFUSE_IF(smallest->empty(),
                   "option 'partition'",
                   m_run.partition,
                   "one that leaves no node without examples: " + node +
                       " owns none; fewer nodes, more samples or another seed may do");
    const std::size_t declared = m_run.publicExamples;
    DPDL_REFUSE_IF(declared > 0 && largest->size() > declared,
                   "option 'publicExamples'",
                   std::to_string(declared),
                   "at least " + std::to_string(largest->size()) +
                       ", the most examples that a node owns");
    const std::size_t local = declared > 0 ? declared : smallest->size();
    if (m_run.sampler == "full" || local >= m_run.batchSize)
    {
        return;
    }
    DPDL_REFUSE_IF(m_asked.batchSize.has_value(),
                   "option 'batchSize'",
                   std::to_string(m_run.batchSize),
                   "1 to " + std::to_string(local) + ", the number of examples that " + node +
                       " owns; or fewer nodes, more samples or another partition");
    m_run.batchSize = local;
    m_run.warnings.push_back(node + " owns " + std::to_string(local) +
                             " examples, fewer than the default batch: its batches hold them all, "
                             "and those of all nodes are as large");
}

RunOptions
ResolvedRun::AsSettings() const
{
    RunOptions settings;
    static_cast<LearningSettings&>(settings) = *this;
    static_cast<PrivacySettings&>(settings) = *this;
    static_cast<NetworkSettings&>(settings) = *this;
    static_cast<OutputSettings&>(settings) = *this;
    settings.batchSize = batchSize;
    settings.stepSize = preset.stepSize;
    settings.epsilon = epsilon;
    settings.clip = clip;
    settings.noiseSource = noiseSource;
    settings.transport = transport;
    settings.dataRate = link->dataRate;
    settings.delay = link->delay;
    settings.drop = link->drop;
    settings.stepScale = stepScale;
    settings.staleness = staleness;
    settings.compute = compute;
    settings.compress = preset.compress;
    return settings;
}

ResolvedRun
Resolve(const RunOptions& asked, const NetworkFacts& facts, const RunWorld& world)
{
    const RunOptions whole = WithRecipe(asked);
    return Resolver(whole, facts, world).Take();
}

} // namespace dpdl
