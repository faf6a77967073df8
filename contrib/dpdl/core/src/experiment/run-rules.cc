// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-rules.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/privacy/symmetric-matrix.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/cuda-device.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Rules that derive properties of a run from its options, such as device, chunks and compression.

namespace dpdl
{

namespace
{

/// Rejects a trimmed mean if a node has at most 2 * @p trimmed in-neighbours in some round.
/// @throws UsageError naming option 'mix'
void
CheckDegrees(const ResolvedRun& run, std::size_t trimmed)
{
    const GraphSequence& graph = *run.graph;
    const Round rounds = graph.FollowsRun() ? 0 : std::min<Round>(graph.Period(), run.rounds);
    for (Round round = 0; round < rounds; ++round)
    {
        for (NodeId node = 0; node < run.nodes; ++node)
        {
            const std::size_t heard = graph.InNeighbours(node, round).size();
            if (heard > 2 * trimmed)
            {
                continue;
            }
            const std::size_t most = heard > 0 ? (heard - 1) / 2 : 0;
            throw UsageError("option 'mix'",
                             run.mix,
                             (most > 0 ? "trimmed:F with F up to " + std::to_string(most)
                                       : std::string("average or clipped:TAU")) +
                                 " on topology '" + run.topology + "': node " +
                                 std::to_string(node) + " has in-degree " + std::to_string(heard) +
                                 " in round " + std::to_string(round) +
                                 ", and 2 F shares are left out");
        }
    }
}

} // namespace

bool
IsNoisy(const ResolvedRun& run)
{
    return run.preset.isPrivate && run.noise;
}

void
CheckNoiseRows(const ResolvedRun& run)
{
    if (run.traceLevel != TraceLevel::NOISE || !IsNoisy(run))
    {
        return;
    }
    const double vectors = static_cast<double>(run.nodes) * static_cast<double>(run.rounds) *
                           run.preset.step->Iterations();
    const double bytes =
        vectors * sizeof(float) * static_cast<double>(run.modelSpec->ParameterCount());
    DPDL_REFUSE_IF(bytes > MOST_NOISE_BYTES,
                   "option 'traceLevel'",
                   "noise",
                   "full or summary, or fewer nodes, rounds or parameters: the noise of this "
                   "run would take " +
                       ShowRounded(bytes * 1e-9, 3) + " GB, and at most " +
                       ShowNumber(MOST_NOISE_BYTES * 1e-9) + " GB is stored");
}

Compression
ResolveCompression(const ResolvedLearning& run)
{
    Compression compression{MakeCompressor(run.preset.compress, run.seed)};
    compression.ofDifferences = SendsDifferences(run);
    return compression;
}

bool
IsFasterOnDevice(const ResolvedRun& run)
{
    const double threshold = DeviceThreshold();
    // A resumed run uses the device of the interrupted run. A run on several ranks uses the same
    // device on all ranks.
    if (!std::isfinite(threshold) || !run.resume.empty() || !run.part.IsWhole() ||
        ResolveEngine(run.engine, *run.modelSpec) != "native" || !RefusedByDevice(run).empty() ||
        run.data->train.pixels.empty())
    {
        return false;
    }
    // On a CUDA device, a batch of more than SUM_BLOCK examples has no certified guarantee. Random
    // batches with a mean of at most SUM_BLOCK / 2 examples hardly ever exceed it.
    const bool isCertified =
        !IsNoisy(run) || (run.sampler != "full" && 2 * run.batchSize <= SUM_BLOCK);
    const double operations = static_cast<double>(run.nodes) * static_cast<double>(run.batchSize) *
                              TrainingFlops(*run.modelSpec);
    return isCertified && operations >= threshold && WhyNoCudaDevice().empty();
}

double
ResolveMixingRate(const ResolvedLearning& run)
{
    if (run.preset.mixingRate > 0.0)
    {
        return run.preset.mixingRate;
    }
    const auto compressor = MakeCompressor(run.preset.compress, run.seed);
    return compressor ? compressor->MixingRate() : 1.0;
}

std::size_t
SharedParameters(const ResolvedLearning& run)
{
    const ModelSpec& model = *run.modelSpec;
    const std::size_t parts =
        run.sharedLayers.value_or(std::min(run.preset.sharedLayers, model.Parts()));
    DPDL_REFUSE_IF(parts > model.Parts(),
                   "option 'sharedLayers'",
                   std::to_string(parts),
                   "all or 1 to " + std::to_string(model.Parts()) + ": the parts of model '" +
                       model.Name() + "'");
    return parts == 0 ? model.ParameterCount() : model.PartEnd(parts);
}

std::string
ResolveBatchSize(const ResolvedLearning& run)
{
    if (run.sampler != "full")
    {
        return std::to_string(run.batchSize);
    }
    double least = run.plan->BatchSize(0);
    double most = least;
    for (const NodeId node : run.plan->Representatives())
    {
        least = std::min(least, run.plan->BatchSize(node));
        most = std::max(most, run.plan->BatchSize(node));
    }
    return ShowNumber(least) + (least == most ? "" : " to " + ShowNumber(most));
}

NodeSet
ResolveNodes(const ResolvedNetwork& run, FailureKind kind)
{
    std::vector<NodeId> nodes;
    for (const FailureEvent& event : run.failureEvents)
    {
        if (event.kind == kind)
        {
            event.nodes.ForEach(run.nodes, [&nodes](NodeId node) { nodes.push_back(node); });
        }
    }
    return NodeSet(std::move(nodes));
}

std::string
WhyTooManyLeak(const ResolvedRun& run)
{
    const std::size_t leaking = run.leakers.Members().size();
    double colluders = 0.0;
    for (const auto& [name, value] : run.noiseFigures)
    {
        colluders = name == "colluders" ? value : colluders;
    }
    if (static_cast<double>(leaking) <= colluders)
    {
        return "";
    }
    return std::to_string(leaking) + (leaking == 1 ? " node leaks its" : " nodes leak their") +
           " secrets, and what is certified allows for " + ShowNumber(colluders) +
           (colluders == 1.0 ? " colluder" : " colluders");
}

std::vector<bool>
MayLackReleases(const ResolvedNetwork& run)
{
    // Measured step times depend on the size of the private batch, and may determine which rounds
    // have no release.
    const bool isPublic = run.compute.kind != ComputeKind::MEASURED;
    std::vector<bool> mayLackReleases(run.nodes);
    for (NodeId node = 0; node < run.nodes; ++node)
    {
        mayLackReleases[node] = isPublic && run.part.Owns(node, run.nodes);
    }
    return mayLackReleases;
}

MixRule
ResolveMixRule(const ResolvedRun& run)
{
    MixRule rule = ParseMixRule(run.mix);
    // The noise hides only the whole sum. Rounded partial sums would reveal more, so the server
    // sums exactly.
    rule.isExact = HasFlag(run.preset.flags, ReleaseFlag::TRUSTED_SERVER);
    if (rule.kind == MixRule::Kind::TRIMMED && run.preset.exchange == Exchange::MODELS)
    {
        CheckDegrees(run, rule.trimmed);
    }
    return rule;
}

double
GossipMomentum(const ResolvedRun& run)
{
    constexpr std::size_t MOST_NODES = 2000;
    constexpr double ROUNDING = 1e-9;
    const GraphSequence& graph = *run.graph;
    const bool isWhole =
        run.chunks.Count() == 1 && run.chunks.Parameters() == run.modelSpec->ParameterCount() &&
        run.mixRule.IsAverage() && run.preset.compress == "none" && run.liars.IsEmpty();
    if (!run.preset.accelerates || !isWhole || !AllArriveInTime(run) || run.nodes > MOST_NODES ||
        graph.FollowsRun() || graph.Period() != 1)
    {
        return 1.0;
    }
    SymmetricMatrix laplacian(run.nodes); // I - W, where W is the mixing matrix
    for (NodeId node = 0; node < run.nodes; ++node)
    {
        const std::vector<NodeId>& others = graph.OutNeighbours(node, 0);
        bool isSymmetric = others == graph.InNeighbours(node, 0);
        laplacian.Add(node, node, 1.0 - graph.Weight(node, node, 0));
        for (std::size_t i = 0; i < others.size() && isSymmetric; ++i)
        {
            const double weight = graph.Weight(node, others[i], 0);
            isSymmetric = std::fabs(graph.Weight(others[i], node, 0) - weight) <= ROUNDING;
            // Every edge is visited from both ends, so each visit adds half.
            laplacian.Add(node, others[i], -weight / 2.0);
        }
        if (!isSymmetric)
        {
            return 1.0;
        }
    }
    const double gap = laplacian.Eigenvalues().at(1);
    // The momentum of Cyffers et al. (2022), Algorithm 1, is 2 (1 - sqrt(gap (1 - gap / 4))) / (1 -
    // gap / 2)^2, where gap is the spectral gap. The form in the code has no cancellation.
    return gap > ROUNDING ? 2.0 / (1.0 + std::sqrt(gap * (1.0 - gap / 4.0))) : 1.0;
}

} // namespace dpdl
