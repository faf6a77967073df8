// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/experiment.h"

#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
#include "dpdl/experiment/obstacle.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/topology/synchronised-graphs.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/topology-warnings.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/model.h"

#include <algorithm>
#include <limits>

namespace dpdl
{

namespace
{

/// What a user must know of a run whose steps take what they take.
const std::string UNREPEATABLE = "this run cannot be repeated";

/// Beyond this, the matrices of a window of q take longer than learning does.
constexpr std::size_t MOST_NODES_OF_Q = 1000;

} // namespace

Experiment::Experiment(const RunSettings& settings, const Facts& facts, const RunWorld& world)
    : m_start(std::chrono::steady_clock::now()),
      m_settings(settings),
      m_world(world),
      m_ledger(settings.nodes)
{
    TakePreset();
    m_failures = ReadFailures(m_settings);
    m_settings.outages = std::max(m_settings.outages, OutagesOf(m_failures));
    CheckTogether(m_settings, m_preset);
    Warn(IdleOptions(m_settings, m_preset));
    LimitQ();
    m_settings.staleness = StalenessInForce(m_settings);
    BuildGraph();
    if (!m_settings.part.IsWhole())
    {
        CheckDivisible(m_settings, m_preset, *m_graph);
    }
    Models().Get(m_settings.model);
    const std::shared_ptr<const Dataset> dataset = LoadDataset(m_settings.dataset,
                                                               m_settings.dataDir,
                                                               m_settings.samples,
                                                               m_settings.testSamples);
    ModelSpec model = MakeModel(m_settings.model, dataset->shape, dataset->classes);
    if (m_preset.isPrivate)
    {
        CheckPerExampleGradients(model);
    }
    CheckDevice(m_settings, m_preset, model);
    const std::vector<float> initial = InitialParameters(model, m_settings.init, m_settings.seed);
    Partition partition = MakePartition(m_settings.partition,
                                        dataset->train.labels,
                                        m_settings.nodes,
                                        m_settings.seed);
    FitBatchSize(partition);
    const std::shared_ptr<const Sampler> sampler =
        MakeSampler(m_settings.sampler, m_settings.batchSize, m_settings.seed);
    const std::shared_ptr<const NoiseSource> noise =
        MakeNoiseSource(m_settings.noiseSource, m_settings.seed);
    m_backend = std::make_unique<TrainingBackend>(
        std::move(model),
        dataset,
        std::move(partition),
        sampler,
        TrainingBackend::Options{m_settings.engine,
                                 m_settings.workers,
                                 m_settings.seed,
                                 noise,
                                 m_settings.device == "cuda" ? "cuda" : "cpu"});
    CheckNoiseRows(m_settings, m_preset, m_backend->Model().ParameterCount());
    CutModel();
    BuildPlan(sampler, noise);
    BuildComputeModel();
    BuildLearners(initial);
    OpenTrace(facts);
    m_setupSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

Experiment::~Experiment() = default;

void
Experiment::TakePreset()
{
    m_preset = PresetInForce(m_settings);
    m_settings.stepSize = m_preset.stepSize;
    m_settings.stepScale = StepScaleInForce(m_settings);
    m_settings.noiseSource = NoiseSourceInForce(m_settings, m_preset);
    if (m_preset.clip > 0.0)
    {
        m_settings.clip = m_preset.clip;
        m_settings.clipDecay = m_preset.clipDecay;
        m_settings.noiseGrowth = m_preset.noiseGrowth;
    }
}

void
Experiment::LimitQ()
{
    if (m_settings.measureQ && m_settings.nodes > MOST_NODES_OF_Q)
    {
        m_settings.measureQ = false;
        m_warnings.push_back("q is not measured: that takes time of n^3, and is done for at most " +
                             std::to_string(MOST_NODES_OF_Q) + " nodes");
    }
}

void
Experiment::Warn(const std::vector<std::string>& sentences)
{
    m_warnings.insert(m_warnings.end(), sentences.begin(), sentences.end());
}

void
Experiment::FitBatchSize(const Partition& partition)
{
    const auto smallest =
        std::min_element(partition.begin(), partition.end(), [](const auto& a, const auto& b) {
            return a.size() < b.size();
        });
    const std::size_t local = smallest->size();
    const std::string node = "node " + std::to_string(smallest - partition.begin());
    if (local == 0)
    {
        throw UsageError("option 'partition'",
                         m_settings.partition,
                         "one that leaves no node without examples: " + node +
                             " owns none; fewer nodes, more samples or another seed may do");
    }
    if (m_settings.sampler == "full" || local >= m_settings.batchSize)
    {
        return;
    }
    if (m_settings.IsSet("batchSize", &RunSettings::batchSize))
    {
        throw UsageError("option 'batchSize'",
                         std::to_string(m_settings.batchSize),
                         "1 to " + std::to_string(local) + ", the number of examples that " + node +
                             " owns; or fewer nodes, more samples or another partition");
    }
    m_settings.batchSize = local;
    m_warnings.push_back(node + " owns " + std::to_string(local) +
                         " examples, fewer than the default batch: its batches hold them all, and "
                         "those of all nodes are as large");
}

void
Experiment::BuildGraph()
{
    m_graph = MakeGraphSequence(m_settings.topology, m_settings.nodes, m_settings.seed);
    if (m_preset.sensitivity && m_preset.sensitivity->syncPeriod > 0)
    {
        m_graph = std::make_shared<SynchronisedGraphs>(m_graph, m_preset.sensitivity->syncPeriod);
    }
    m_graph->Attach(m_world);
    if (m_preset.doublyStochastic)
    {
        RequireDoublyStochastic(*m_graph, m_settings.topology, m_settings.algorithm);
    }
    Warn(TopologyWarnings(*m_graph));
    Warn(WarnOfFailures(m_failures, *m_graph));
    RequirePositions(m_failures, m_settings.nodes, [this](NodeId node) {
        return PositionOf(node);
    });
}

std::optional<Position>
Experiment::PositionOf(NodeId node) const
{
    return m_world.position ? m_world.position(node) : m_graph->PositionOf(node);
}

void
Experiment::SetClock(std::function<double()> now)
{
    m_world.now = std::move(now);
    m_graph->Attach(m_world);
}

void
Experiment::CutModel()
{
    m_context.chunks =
        ChunksInForce(m_settings, SharedParameters(m_settings, m_preset, m_backend->Model()));
    m_ledger = MassLedger(m_settings.nodes, m_context.chunks.Count());
    for (NodeId node = 0; node < m_settings.nodes; ++node)
    {
        if (!Owns(node))
        {
            m_ledger.Leave(node);
        }
    }
    if (IsEstimating(m_settings, m_preset))
    {
        m_board =
            std::make_unique<SensitivityBoard>(m_settings.nodes, m_context.chunks.Parameters());
        m_context.board = m_board.get();
        if (!m_preset.sensitivity->isOracle && !IsDoublyStochastic(*m_graph))
        {
            m_warnings.emplace_back("the estimated sensitivity is no bound on this topology: where "
                                    "nodes hear more or less than they send, w differs, and x with "
                                    "it, though all z are equal");
        }
    }
}

void
Experiment::BuildPlan(std::shared_ptr<const Sampler> sampler,
                      std::shared_ptr<const NoiseSource> noise)
{
    LearningPlanSettings plan;
    const std::vector<double> epsilons = m_settings.epsilon.Of(m_settings.nodes);
    for (NodeId node = 0; node < m_settings.nodes; ++node)
    {
        const std::size_t local = m_backend->LocalExamples(node);
        plan.nodes.push_back({local,
                              m_backend->BatchSampler().ExpectedSize(local),
                              m_backend->BatchSampler().Rate(local),
                              epsilons[node]});
    }
    plan.algorithm = m_preset;
    plan.mode = m_settings.mode;
    plan.rounds = m_settings.rounds;
    plan.delta = m_settings.delta;
    plan.noise = m_settings.noise;
    plan.parameters = m_backend->Model().ParameterCount();
    plan.sampler = std::move(sampler);
    plan.noiseSource = std::move(noise);
    plan.shared = std::min(m_context.chunks.Parameters(), plan.parameters);
    plan.ownPart = plan.shared < plan.parameters && !m_preset.step->ProtectsOwnPart();
    // LibTorch's sums on a device are made on the host, in double precision.
    plan.floatSums = m_settings.device == "cuda" &&
                     EngineInForce(m_settings.engine, m_backend->Model()) == "native";
    plan.accountant = m_settings.accountant;
    plan.adjacency = m_settings.adjacency;
    m_plan = std::make_unique<LearningPlan>(plan);
    if (m_settings.stopAt.has_value())
    {
        m_guard = std::make_unique<BudgetGuard>(*m_plan, m_settings.nodes, *m_settings.stopAt);
    }
    Warn(PrivacyWarnings(m_settings, *m_plan));
}

void
Experiment::BuildComputeModel()
{
    double seconds = 0.0;
    switch (m_settings.compute)
    {
    case ComputeKind::FIXED:
        seconds = m_settings.computeSeconds;
        break;
    case ComputeKind::PROFILE: {
        const ComputeProfile& profile = ComputeProfiles().Get(m_settings.computeProfile);
        double largest = 0.0;
        for (const NodeId node : m_plan->Representatives())
        {
            largest = std::max(largest, m_plan->BatchSize(node));
        }
        const double gradient = TrainingFlops(m_backend->Model()) * largest;
        seconds = m_preset.step->Iterations() * (gradient / profile.flops + profile.overhead);
        break;
    }
    case ComputeKind::MEASURED:
        m_warnings.push_back("--compute=measured: " + UNREPEATABLE);
        break;
    }
    m_compute = std::make_unique<ComputeModel>(seconds, m_settings.heterogeneity, m_settings.seed);
}

void
Experiment::BuildLearners(const std::vector<float>& initial)
{
    m_context.plan = m_plan.get();
    m_context.graph = m_graph.get();
    m_context.backend = m_backend.get();
    m_context.ledger = &m_ledger;
    m_context.gate = m_guard.get();
    m_context.stepScale = *m_settings.stepScale;
    m_context.lossPolicy = m_settings.lossPolicy;
    m_context.evaluateEvery = m_settings.evaluateEvery;
    m_context.snapshotEvery = m_settings.snapshotEvery;
    m_context.staleness = *m_settings.staleness;
    m_context.keepNoise = m_settings.traceLevel == TraceLevel::NOISE;
    m_context.train = m_settings.train;
    m_context.initial = m_backend->Pool().AcquireCopy(initial.data());
    m_learners.resize(m_settings.nodes);
    for (NodeId node = 0; node < m_settings.nodes; ++node)
    {
        if (Owns(node))
        {
            m_learners[node] =
                std::make_unique<Learner>(node,
                                          m_context,
                                          m_backend->Pool().AcquireCopy(initial.data()));
        }
    }
}

void
Experiment::OpenTrace(const Facts& facts)
{
    TraceStore::Options options;
    options.overwrite = m_settings.overwrite;
    // The recorder commits whole rounds.
    options.rowsPerTransaction = 0;
    m_store = std::make_unique<TraceStore>(m_settings.trace, options);
    for (const Option& option : LearningOptions())
    {
        m_store->SetSetting(option.name, option.show(m_settings));
    }
    m_store->SetSetting("batchSize", BatchSizeInForce(m_settings, *m_plan));
    WriteStatements();
    WritePart();
    for (const auto& [name, value] : facts)
    {
        m_store->SetSetting(name, value);
    }
    if (m_settings.device == "cuda")
    {
        m_store->SetSetting("gpu", m_backend->Device());
    }
    m_store->SetSummary("rounds", 0);
    m_store->SetSummary("nodes", m_settings.nodes);
    m_store->SetSummary("parameters", m_backend->Model().ParameterCount());
    m_store->SetSummary("delta", m_plan->Settings().delta);
    m_store->Flush();
    m_recorder = std::make_unique<RunRecorder>(m_settings,
                                               m_context,
                                               *m_store,
                                               MESSAGE_HEADER_BYTES,
                                               m_guard.get());
    m_recorder->SetPositions([this](NodeId node) { return PositionOf(node); });
    m_context.observer = m_recorder.get();
}

void
Experiment::WriteStatements()
{
    if (m_preset.clip > 0.0)
    {
        m_store->SetSetting("clipDecay", ShowNumber(m_preset.clipDecay));
        m_store->SetSetting("noiseGrowth", ShowNumber(m_preset.noiseGrowth));
    }
    else
    {
        m_store->SetSetting("clip", "none");
    }
    const bool isNoisy = m_preset.isPrivate && m_settings.noise;
    m_store->SetSetting("noiseStatement",
                        isNoisy ? m_plan->Settings().noiseSource->Statement() : "no noise");
    m_store->SetSetting("claimKappa", ShowNumber(m_plan->ClaimKappa()));
    m_store->SetSetting("computeStatement",
                        m_settings.compute == ComputeKind::MEASURED
                            ? "wall time of each step; " + UNREPEATABLE
                            : ShowNumber(m_compute->Slowest(m_settings.nodes)) +
                                  " s for a step of the slowest node");
    const std::string engine = EngineInForce(m_settings.engine, m_backend->Model());
    m_store->SetSetting("engine",
                        m_settings.device == "cuda" && engine != "native" ? "libtorch-cuda"
                                                                          : engine);
    if (!m_preset.argument.empty())
    {
        m_store->SetSetting("privacyArgument", m_preset.argument);
    }
    m_store->SetSetting("gossipOrder",
                        m_preset.order == GossipOrder::SEND_FIRST ? "send-first" : "step-first");
    m_store->SetSetting("stepLaw", StepLaw());
    m_store->SetSetting("sharedParameters", std::to_string(m_context.chunks.Parameters()));
    m_store->SetSetting("roundDeadlineSeconds", ShowNumber(DeadlineSeconds()));
    m_store->SetSetting("sensitivityOracle",
                        m_board && m_preset.sensitivity->isOracle
                            ? "noise is scaled by the true distance of the nodes, which no node "
                              "could know"
                            : "none");
    m_store->SetSetting("lossOracle",
                        m_settings.lossPolicy == LossPolicy::REFUND
                            ? "the transport tells a sender which of its messages are lost"
                            : "none");
}

void
Experiment::WritePart()
{
    const RunPart& part = m_settings.part;
    if (!part.IsWhole())
    {
        m_store->SetSetting("ranks", std::to_string(part.ranks));
        m_store->SetSetting("rank", std::to_string(part.rank));
        m_store->SetSetting("rankFirstNode", std::to_string(part.Begin(m_settings.nodes)));
        m_store->SetSetting("rankLastNode", std::to_string(part.End(m_settings.nodes) - 1));
    }
}

std::string
Experiment::StepLaw() const
{
    bool isConstant = dynamic_cast<const GradientStep*>(m_preset.step.get()) != nullptr;
    for (Round round = 0; round < m_plan->Rounds(); ++round)
    {
        isConstant = isConstant && m_plan->At(0, round).stepSize == m_plan->At(0, 0).stepSize;
    }
    // An own part carries what an observer of the shared one cannot account for.
    const bool isWhole = m_context.chunks.Parameters() == m_backend->Model().ParameterCount();
    return isConstant && isWhole ? "constant" : "own";
}

std::uint64_t
Experiment::LinkBytes() const
{
    return MESSAGE_HEADER_BYTES * m_context.chunks.Count() +
           sizeof(float) * m_context.chunks.Parameters();
}

double
Experiment::TransferSeconds(const GraphSequence& graph, std::uint64_t bytes) const
{
    if (m_settings.transferSeconds)
    {
        return m_settings.transferSeconds(graph, bytes);
    }
    return m_settings.network == NetworkKind::IDEAL
               ? 0.0
               : 8.0 * static_cast<double>(bytes) / m_settings.dataRate + m_settings.delay;
}

double
Experiment::LosslessTransferSeconds() const
{
    double seconds = TransferSeconds(*m_graph, LinkBytes());
    if (m_board)
    {
        const auto all = MakeGraphSequence("complete", m_settings.nodes, m_settings.seed);
        seconds += TransferSeconds(*all, MESSAGE_HEADER_BYTES);
    }
    return seconds;
}

double
Experiment::LosslessRoundSeconds() const
{
    const double step = m_compute->Slowest(m_settings.nodes);
    const double transfer = LosslessTransferSeconds();
    if (m_board)
    {
        // Half of a round's time may go by waiting for estimates that never arrive.
        return 2.0 * (step + transfer);
    }
    return m_preset.order == GossipOrder::SEND_FIRST ? std::max(step, transfer) : step + transfer;
}

double
Experiment::DeadlineSeconds() const
{
    switch (m_settings.deadline.kind)
    {
    case Deadline::Kind::TIME:
        return m_settings.deadline.seconds;
    case Deadline::Kind::AUTO:
        if (MayWaitForEver(m_settings))
        {
            return Deadline::AUTO_FACTOR * LosslessRoundSeconds();
        }
        break;
    case Deadline::Kind::NONE:
        break;
    }
    return std::numeric_limits<double>::infinity();
}

std::string
Experiment::Obstacle() const
{
    return ObstacleOf(m_learners);
}

void
Experiment::SetWireTotals(std::uint64_t bytes, std::uint64_t corrupt)
{
    m_store->SetSummary("socket_bytes", bytes);
    m_store->SetSummary("packets_corrupt", corrupt);
}

void
Experiment::AddFrames(const std::vector<FramesByDistance>& rows)
{
    for (const FramesByDistance& row : rows)
    {
        m_store->Add(row);
    }
}

void
Experiment::SetFrameTotals(std::uint64_t sent, std::uint64_t givenUp, std::uint64_t fragments)
{
    m_store->SetSummary("frames_sent", sent);
    m_store->SetSummary("frames_given_up", givenUp);
    m_store->SetSummary("fragments_sent", fragments);
}

bool
Experiment::Finish(double simulatedSeconds)
{
    const bool isDone = Obstacle().empty();
    const bool complete = m_settings.rankLink ? m_settings.rankLink->All(isDone) : isDone;
    // The last evaluation of every node waits for this moment, so that all run together.
    for (const std::unique_ptr<Learner>& learner : m_learners)
    {
        if (complete && learner && learner->Finished())
        {
            learner->FinishStep(simulatedSeconds);
        }
    }
    m_recorder->Finish(simulatedSeconds);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_start;
    const double compute = m_backend->ComputeSeconds();
    const WorkShares shares = m_backend->Work();
    m_store->SetSummary("wall_seconds", wall.count());
    m_store->SetSummary("wall_setup", m_setupSeconds);
    m_store->SetSummary("wall_compute", compute * shares.step);
    m_store->SetSummary("wall_mixing", compute * shares.mixing);
    m_store->SetSummary("wall_evaluation", compute * shares.evaluation);
    m_store->SetSummary("wall_trace", m_recorder->TraceSeconds());
    m_store->SetSummary("wall_privacy", m_recorder->PrivacySeconds());
    m_store->SetSummary("wall_simulator",
                        wall.count() - m_setupSeconds - compute - m_recorder->TraceSeconds() -
                            m_recorder->PrivacySeconds());
    m_store->Finish(complete);
    return complete;
}

} // namespace dpdl
