// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/experiment.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

// Builds a run from its resolved options. Gives the simulation the learners and time limits, and
// closes the trace at the end.

namespace dpdl
{

namespace
{

/// Longest accepted simulated duration of a run, in seconds. The simulator's clock counts
/// nanoseconds in 63 bits, so it ends at 9.2e9 s.
constexpr double LATEST_SECOND = 9e9;

/// Creates the backend that draws the batches and the noise of a run and takes the local steps.
std::unique_ptr<TrainingBackend>
MakeBackend(const ResolvedRun& run)
{
    return std::make_unique<TrainingBackend>(
        *run.modelSpec,
        run.data,
        run.examples,
        run.batchSampler,
        TrainingBackend::Options{run.engine,
                                 run.workers,
                                 run.noiseSeed,
                                 run.noiseDraws,
                                 run.device == "cuda" ? "cuda" : "cpu",
                                 HasCheckpoints(run),
                                 StateVectors(run.preset)});
}

} // namespace

Experiment::Experiment(const RunOptions& settings,
                       const Metadata& facts,
                       const RunWorld& world,
                       const NetworkFacts& network)
    : m_start(std::chrono::steady_clock::now()),
      m_run(Resolve(settings, network, world)),
      m_warnings(m_run.warnings),
      m_world(world),
      m_backend(MakeBackend(m_run)),
      m_ledger(m_run.nodes, m_run.chunks.Count())
{
    BuildExchange();
    CheckClock();
    BuildLearners();
    if (network.watch)
    {
        network.watch("the trace");
    }
    OpenTrace(facts);
    m_setupSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

Experiment::~Experiment() = default;

std::optional<Position>
Experiment::PositionOf(NodeId node) const
{
    return m_world.position ? m_world.position(node) : m_run.graph->PositionOf(node);
}

void
Experiment::SetClock(std::function<double()> now)
{
    m_world.now = std::move(now);
    m_run.graph->Attach(m_world);
}

void
Experiment::BuildExchange()
{
    if (IsEstimating(m_run))
    {
        m_exchange = std::make_unique<SensitivityExchange>(m_run.nodes, m_run.chunks.Parameters());
        m_context.exchange = m_exchange.get();
    }
}

void
Experiment::CheckClock() const
{
    double slowdown = 1.0;
    for (const FailureEvent& event : m_run.failureEvents)
    {
        slowdown = std::max(slowdown, event.kind == FailureKind::NODE_SLOW ? event.value : 1.0);
    }
    const double deadline = DeadlineSeconds();
    const double round =
        std::max(slowdown * LosslessRoundSeconds(), std::isfinite(deadline) ? deadline : 0.0);
    const double seconds = round * static_cast<double>(m_run.rounds);
    DPDL_REFUSE_IF(!(seconds <= LATEST_SECOND),
                   "option 'rounds'",
                   std::to_string(m_run.rounds),
                   "fewer rounds or shorter ones: a round takes up to " + ShowRounded(round, 3) +
                       "s, all " + ShowRounded(seconds, 3) +
                       "s, and the simulator's clock ends at 9e9 s");
}

void
Experiment::BuildLearners()
{
    if (m_run.stopAt.has_value())
    {
        m_budget = std::make_unique<PrivacyBudget>(*m_run.plan, m_run.nodes, *m_run.stopAt);
    }
    m_context.plan = m_run.plan.get();
    m_context.graph = m_run.graph.get();
    m_context.chunks = m_run.chunks;
    m_context.compression = m_run.compression;
    m_context.rule = m_run.mixRule;
    m_context.backend = m_backend.get();
    m_context.ledger = &m_ledger;
    if (m_budget)
    {
        m_context.mayRelease = [this](NodeId node, Round round) {
            return m_budget->MayRelease(node, round);
        };
    }
    m_context.stepScale = m_run.stepScale;
    m_context.momentum = m_run.momentum;
    m_context.lossPolicy = m_run.lossPolicy;
    m_context.evaluateEvery = m_run.evaluateEvery;
    m_context.evaluateSamples = m_run.evaluateSamples > 0 ? m_run.evaluateSamples : Evaluation::ALL;
    m_context.snapshotEvery = m_run.snapshotEvery;
    // With a trusted server, the nodes hold sums after an odd number of rounds. Only the server may
    // see these sums. So only states after an even number of rounds are evaluated.
    m_context.coveredEvery = HasFlag(m_run.preset.flags, ReleaseFlag::TRUSTED_SERVER) ? 2 : 1;
    m_context.averageFrom = FirstAveraged(m_run);
    m_context.staleness = m_run.staleness;
    m_context.mixesFutureShares = m_run.MixesEarly();
    m_context.chunksHaveOwnLinks = m_run.preset.chunks > 0;
    m_context.renormalisedChunks = m_run.preset.pullsModels ? 1 : 0;
    m_context.recordNoise = m_run.traceLevel == TraceLevel::NOISE;
    m_context.train = m_run.train;
    m_context.initial = m_backend->Pool().AcquireCopy(m_run.initial.data());
    if (!m_run.part.IsWhole())
    {
        m_hasFinished = true;
        m_context.isElsewhere = [this](NodeId node) { return !Owns(node); };
    }
    m_learners.resize(m_run.nodes);
    const double mass = std::accumulate(m_run.masses.begin(), m_run.masses.end(), 0.0);
    for (NodeId node = 0; node < m_run.masses.size(); ++node)
    {
        m_ledger.SetWeight(node, ScaledDouble(m_run.masses[node] * m_run.nodes / mass));
    }
    for (NodeId node = 0; node < m_run.nodes; ++node)
    {
        if (!Owns(node))
        {
            m_ledger.Leave(node);
            continue;
        }
        m_learners[node] =
            std::make_unique<Learner>(node,
                                      m_context,
                                      m_backend->Pool().AcquireCopy(m_run.initial.data()));
    }
}

std::uint64_t
Experiment::LinkBytes() const
{
    // With compressed differences, a node sends its whole state after a message loss. So every
    // message counts as a whole state.
    const Compression& compression = m_context.compression;
    const bool isCompressed = compression.compressor && !compression.ofDifferences;
    std::uint64_t bytes = MESSAGE_HEADER_BYTES * m_context.chunks.Count();
    for (std::size_t chunk = 0; chunk < m_context.chunks.Count(); ++chunk)
    {
        bytes += compression.Bytes(m_context.chunks.Size(chunk), isCompressed);
    }
    return bytes;
}

double
Experiment::TransferSeconds(const GraphSequence& graph, std::uint64_t bytes) const
{
    if (m_run.transferSeconds)
    {
        return m_run.transferSeconds(graph, bytes);
    }
    return m_run.network == NetworkKind::IDEAL
               ? 0.0
               : 8.0 * static_cast<double>(bytes) / m_run.link->dataRate + m_run.link->delay;
}

double
Experiment::LosslessTransferSeconds() const
{
    double seconds = TransferSeconds(*m_run.graph, LinkBytes());
    if (m_exchange)
    {
        const auto all = MakeGraphSequence("complete", m_run.nodes, m_run.seed);
        seconds += TransferSeconds(*all, MESSAGE_HEADER_BYTES);
    }
    return seconds;
}

double
Experiment::LosslessRoundSeconds() const
{
    const double step = m_run.computeModel->Slowest(m_run.nodes);
    const double transfer = LosslessTransferSeconds();
    if (m_exchange)
    {
        // A node waits for at most half of the round for sensitivity estimates that do not arrive.
        // So the round gets twice the time of step and transfer.
        return 2.0 * (step + transfer);
    }
    return m_run.preset.order == GossipOrder::SEND_FIRST ? std::max(step, transfer)
                                                         : step + transfer;
}

double
Experiment::DeadlineSeconds() const
{
    switch (m_run.deadline.kind)
    {
    case Deadline::Kind::TIME:
        return m_run.deadline.seconds;
    case Deadline::Kind::AUTO:
        if (MayWaitForEver(m_run))
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
Experiment::StallReason() const
{
    std::size_t finished = 0;
    std::size_t late = 0;
    std::size_t here = 0; // number of nodes that this rank simulates
    NodeId first = 0;
    for (NodeId node = 0; node < m_learners.size(); ++node)
    {
        if (!m_learners[node])
        {
            continue;
        }
        const Learner& learner = *m_learners[node];
        ++here;
        const bool isLate = !learner.Finished() && !learner.IsDown();
        first = isLate && late == 0 ? node : first;
        late += isLate ? 1 : 0;
        finished += learner.Finished() ? 1 : 0;
    }
    if (late == 0)
    {
        return finished > 0 || m_hasFinished || m_hasBatteries
                   ? ""
                   : "every node has crashed before the end of its rounds";
    }
    const Learner& learner = *m_learners[first];
    std::string text = std::to_string(late) + " of " + std::to_string(here) +
                       " nodes have not done all their rounds: node " + std::to_string(first) +
                       " is in round " + std::to_string(learner.CurrentRound());
    std::string separator = " and waits for the shares of node ";
    for (const NodeId source : learner.WaitsFor())
    {
        const bool isDown = m_learners[source] && m_learners[source]->IsDown();
        text += separator + std::to_string(source) + (isDown ? " (crashed)" : "");
        separator = ", ";
    }
    return text;
}

void
Experiment::SetBatteries(std::size_t count)
{
    m_hasBatteries = count > 0;
    m_recorder->Energies().SetBatteries(count);
}

bool
Experiment::IsComplete()
{
    if (m_run.rankLink)
    {
        // All nodes of one rank may have crashed, so this call asks every rank if one of its nodes
        // has finished.
        const bool hasNone = std::none_of(m_learners.begin(),
                                          m_learners.end(),
                                          [](const auto& one) { return one && one->Finished(); });
        m_hasFinished = !m_run.rankLink->All(hasNone);
        return m_run.rankLink->All(StallReason().empty());
    }
    return StallReason().empty();
}

bool
Experiment::Finish(double simulatedSeconds)
{
    const bool complete = IsComplete();
    // Every node delays its last evaluation until here, so all last evaluations run in parallel.
    for (const std::unique_ptr<Learner>& learner : m_learners)
    {
        if (complete && learner && learner->Finished())
        {
            learner->FinishStep(simulatedSeconds);
        }
    }
    if (!complete && m_store->IsRepeating())
    {
        m_store->Leave();
        return false;
    }
    if (!complete)
    {
        m_recorder->Settle(simulatedSeconds);
    }
    m_recorder->Finish(simulatedSeconds, complete);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_start;
    const double compute = m_backend->ComputeSeconds();
    const TimeBreakdown shares = m_backend->Work();
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
