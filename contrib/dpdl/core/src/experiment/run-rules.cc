// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-rules.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/gdp-clt.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// True if what was lost is sent again until it arrives.
bool
IsRepaired(const ResolvedRun& run)
{
    return run.lossPolicy == LossPolicy::RELIABLE || UsesTcp(run);
}

/// True if a transmission may get lost without any failure.
bool
LinksDrop(const ResolvedRun& run)
{
    const bool mayLose = run.links ? run.links->MayLose() : run.drop > 0.0;
    return run.network != NetworkKind::IDEAL && mayLose;
}

/// True if a message may get lost permanently without any failure.
bool
IsLossy(const ResolvedRun& run)
{
    return LinksDrop(run) && !IsRepaired(run);
}

/// True if noise is added.
bool
IsNoisy(const ResolvedRun& run)
{
    return run.preset.isPrivate && run.noise;
}

/// All examples of a node are hidden where any data moves a release by at most what is certified.
void
CheckUnit(const ResolvedRun& run)
{
    const AlgorithmPreset& preset = run.preset;
    const bool boundsAll = HasFlag(preset.flags, ReleaseFlag::BATCH_CLIP) && !preset.isAmplified;
    if (run.protectsNodes && !(preset.isPrivate && boundsAll && run.mode == Mode::SOUND))
    {
        throw UsageError("option 'unit'",
                         "node",
                         "'example', or in mode sound an algorithm that clips a node's whole "
                         "update: fed-dpa, ppsgd, or dp-fedavg with hyper:clipUpdate=1. What " +
                             run.algorithm + " bounds is what one example does");
    }
}

/// True if some message may not arrive, whatever becomes of it then.
bool
MayLose(const ResolvedRun& run)
{
    return IsLossy(run) || run.outages > Outages::NONE ||
           (run.network == NetworkKind::PACKET && !UsesTcp(run));
}

/// The sum at a trusted server hides its parts only if it has them all, and is all that is used.
void
CheckTrust(const ResolvedRun& run)
{
    if (!HasFlag(run.preset.flags, ReleaseFlag::TRUSTED_SERVER))
    {
        return;
    }
    const auto refuseIf = [](bool condition, const std::string& thing) {
        if (condition)
        {
            throw UsageError("hyper-parameter 'trusted': '1' is not accepted " + thing);
        }
    };
    // Who sends again gives up one day.
    refuseIf(LinksDrop(run) || MayLose(run),
             "where messages may get lost: a sum without a node's part has less noise than is "
             "certified; expected no loss and no failures");
    refuseIf(run.deadline.kind == Deadline::Kind::TIME || run.schedule != Schedule::SYNCHRONOUS,
             "where a node's part may be late; expected --deadline=none or auto, and "
             "--schedule=synchronous");
    refuseIf(!run.liars.IsEmpty(), "with nodes that lie: what they send may have no noise");
    refuseIf(run.rounds % 2 == 1, "with an odd number of rounds: nodes would keep their own parts");
    refuseIf(run.stopAt.has_value(), "with --stopAt: a node that stops adds no noise");
    refuseIf(run.sharedLayers.value_or(0) > 0,
             "with --sharedLayers: what stays at a node has its own noise alone");
    const bool weighsAlike = HasFlag(run.preset.flags, ReleaseFlag::BATCH_CLIP);
    refuseIf(run.sampler == "full" && !weighsAlike,
             "with --sampler=full: parts of nodes of different size would not weigh alike");
}

} // namespace

bool
MayWaitForEver(const ResolvedRun& run)
{
    const Outages harmless = IsRepaired(run) ? Outages::PASSING : Outages::NONE;
    return !run.MixesEarly() && (IsLossy(run) || run.outages > harmless);
}

bool
IsEstimating(const ResolvedRun& run)
{
    return run.mode == Mode::PAPER && run.preset.sensitivity != nullptr;
}

void
CheckTogether(const ResolvedRun& run)
{
    CheckUnit(run);
    CheckTrust(run);
    if (run.MixesEarly() && IsEstimating(run))
    {
        throw UsageError("option 'schedule': 'wait-free' is not accepted with a sensitivity that "
                         "the nodes estimate together; expected synchronous or asynchronous");
    }
    if (IsLossy(run) && !run.MixesEarly() && run.deadline.kind == Deadline::Kind::NONE)
    {
        throw UsageError(
            "option 'deadline': 'none' is not accepted where links drop: a synchronous "
            "round would wait indefinitely for a lost message; expected auto or a time");
    }
    if (run.compute.kind == ComputeKind::MEASURED && MayWaitForEver(run) &&
        run.deadline.kind == Deadline::Kind::AUTO)
    {
        throw UsageError("option 'deadline': 'auto' is not accepted with --compute=measured where "
                         "messages get lost: the length of a step is not known beforehand; "
                         "expected a time");
    }
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
    if (bytes > MOST_NOISE_BYTES)
    {
        throw UsageError("option 'traceLevel'",
                         "noise",
                         "full or summary, or fewer nodes, rounds or parameters: the noise of this "
                         "run would take " +
                             ShowRounded(bytes * 1e-9, 3) + " GB, and at most " +
                             ShowNumber(MOST_NOISE_BYTES * 1e-9) + " GB is stored");
    }
}

Compression
ResolveCompression(const ResolvedRun& run)
{
    Compression compression{MakeCompressor(run.compress, run.seed)};
    if (!compression.compressor)
    {
        return compression;
    }
    compression.ofDifferences = run.preset.sendsDifferences || compression.compressor->IsSparse();
    const auto refuseIf = [&run](bool condition, const std::string& thing) {
        if (condition)
        {
            throw UsageError("option 'compress': '" + run.compress + "' is not accepted with " +
                             thing + "; expected none");
        }
    };
    refuseIf(run.payloadBytes, "--payload=bytes");
    refuseIf(IsEstimating(run), run.algorithm + ", whose noise waits for other nodes");
    refuseIf(run.preset.exchange == Exchange::SERVER,
             run.algorithm + ", whose nodes keep nothing that could make up for the error");
    if (!compression.ofDifferences)
    {
        return compression;
    }
    refuseIf(run.chunks.Count() > StateVectors(run.preset),
             "--chunk: messages of differences are whole");
    refuseIf(run.transport == TransportKind::BROADCAST,
             "--transport=broadcast: each link has a difference of its own");
    const bool isHeard =
        run.lossPolicy == LossPolicy::REFUND || run.lossPolicy == LossPolicy::RELIABLE;
    if (MayLose(run) && !isHeard)
    {
        throw UsageError("option 'lossPolicy'",
                         LossPolicies().NameOf(run.lossPolicy),
                         "refund or reliable where messages may get lost with --compress=" +
                             run.compress + " of differences: a sender has to learn of its losses");
    }
    return compression;
}

double
ResolveMixingRate(const ResolvedRun& run)
{
    if (run.preset.mixingRate > 0.0)
    {
        return run.preset.mixingRate;
    }
    const auto compressor = MakeCompressor(run.compress, run.seed);
    return compressor ? compressor->MixingRate() : 1.0;
}

std::size_t
SharedParameters(const ResolvedRun& run)
{
    const ModelSpec& model = *run.modelSpec;
    const std::size_t parts =
        run.sharedLayers.value_or(std::min(run.preset.sharedLayers, model.Parts()));
    if (parts > model.Parts())
    {
        throw UsageError("option 'sharedLayers'",
                         std::to_string(parts),
                         "all or 1 to " + std::to_string(model.Parts()) + ": the parts of model '" +
                             model.Name() + "'");
    }
    return parts == 0 ? model.ParameterCount() : model.PartEnd(parts);
}

std::vector<std::string>
IdleOptions(const RunOptions& asked, const ResolvedRun& run)
{
    std::vector<std::string> warnings;
    if (run.preset.clip == 0.0 && asked.clip.has_value())
    {
        warnings.push_back("option 'clip' has no effect: " + run.algorithm + " does not clip");
    }
    if (!run.dataDir.empty() && IsMade(run.dataset.substr(0, run.dataset.find(':'))))
    {
        warnings.push_back("option 'dataDir' has no effect: dataset '" + run.dataset +
                           "' is made, not read");
    }
    if (run.preset.noiseMultiplier > 0.0 && asked.epsilon.has_value())
    {
        warnings.emplace_back("option 'epsilon' has no effect: the noise multiplier is fixed");
    }
    const bool isAlone =
        run.preset.exchange == Exchange::NOTHING || run.preset.exchange == Exchange::EXAMPLES;
    const bool canFail = run.preset.exchange != Exchange::EXAMPLES;
    if (!canFail && !(asked.fail.empty() && asked.failures.empty()))
    {
        warnings.emplace_back("failures have no effect: " + run.algorithm + " has no network");
    }
    if (run.compress != "none" && isAlone)
    {
        warnings.emplace_back("option 'compress' has no effect: " + run.algorithm +
                              " sends nothing");
    }
    if (!ParseMixRule(run.mix).IsAverage() && isAlone)
    {
        warnings.emplace_back("option 'mix' has no effect: " + run.algorithm + " sends nothing");
    }
    if (run.network == NetworkKind::IDEAL && run.drop > 0.0)
    {
        warnings.emplace_back("option 'drop' has no effect: the ideal network loses nothing");
    }
    if (run.network != NetworkKind::PACKET && asked.transport.has_value())
    {
        warnings.emplace_back("option 'transport' has no effect: the network is not 'packet'");
    }
    if (run.network == NetworkKind::PACKET && run.drop > 0.0 && !UsesTcp(run))
    {
        warnings.emplace_back("option 'drop' acts on every packet in packet mode, and a message "
                              "of many packets is lost with any of them");
    }
    if (run.schedule != Schedule::ASYNCHRONOUS && asked.staleness.value_or(0) > 0)
    {
        warnings.emplace_back("option 'staleness' has no effect: the schedule is not asynchronous");
    }
    if (asked.noiseSource.value_or("philox") != "philox" && run.preset.noiseSource.empty() &&
        !IsNoisy(run))
    {
        warnings.emplace_back("option 'noiseSource' has no effect: no noise is added");
    }
    if (run.traceLevel == TraceLevel::NOISE && !IsNoisy(run))
    {
        warnings.emplace_back("option 'traceLevel': 'noise' stores none: no noise is added");
    }
    return warnings;
}

std::vector<std::string>
PrivacyWarnings(const ResolvedRun& run)
{
    std::vector<std::string> warnings;
    const AlgorithmPreset& algorithm = run.preset;
    if (IsEstimating(run) && !algorithm.sensitivity->isOracle &&
        algorithm.sensitivity->factor < 1.0)
    {
        warnings.push_back("with C' = " + ShowNumber(algorithm.sensitivity->factor) +
                           " the estimated sensitivity is no bound, not even where all nodes "
                           "start alike: that needs hyper:bound of 1 or more");
    }
    const double kappa = run.plan->ClaimKappa();
    if (run.mode == Mode::PAPER && kappa > CLT_KAPPA_REFUSED)
    {
        warnings.push_back("the noise is too small for epsilon " + run.epsilon.Text() +
                           ": the limit theorem behind the claim is far from holding (kappa " +
                           ShowNumber(kappa) + ", sound up to " + ShowNumber(CLT_KAPPA_INACCURATE) +
                           ")");
    }
    if (!run.preset.isPrivate || !run.noise)
    {
        return warnings;
    }
    ReleaseTally releases;
    for (const NodeId node : run.plan->Representatives())
    {
        for (Round round = 0; round < run.rounds && releases.Reason().empty(); ++round)
        {
            for (const Release& release : run.plan->ReleasesOf(node, round))
            {
                releases.Add(release);
            }
        }
    }
    for (const std::string& reason : {releases.Reason(), WhyTooManyLeak(run)})
    {
        if (!reason.empty())
        {
            warnings.push_back("nothing can be certified: " + reason);
        }
    }
    return warnings;
}

std::string
ResolveBatchSize(const ResolvedRun& run)
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

} // namespace dpdl
