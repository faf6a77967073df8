// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Features of runs that cannot be combined. Each feature declares its condition, the features that
// it excludes, and the texts of its messages. One check rejects the first conflict of a run.

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// A feature of a run, and the features with which it cannot be combined. The error message
/// consists of `title`, the excluded feature's text, and `end`.
struct Feature
{
    bool isOn; ///< true: the run has this feature
    /// Start of the error message; names the option and its value.
    std::string title;
    /// Excluded features: true if the run has the feature, and the feature's text.
    std::vector<std::pair<bool, std::string>> excluded;
    std::string end{}; ///< end of the error message; accepted alternatives

    /// Text of the first excluded feature that the run has; "" if the run has no excluded feature.
    std::string Conflict() const
    {
        const auto found = std::find_if(excluded.begin(), excluded.end(), [](const auto& one) {
            return one.first;
        });
        return found == excluded.end() ? "" : found->second;
    }
};

void
CheckFeatures(const std::vector<Feature>& features)
{
    for (const Feature& feature : features)
    {
        const std::string conflict = feature.isOn ? feature.Conflict() : "";
        DPDL_REFUSE_IF(!conflict.empty(), feature.title + conflict + feature.end);
    }
}

/// Start of an error message that refuses an option's value.
std::string
Refused(const std::string& option, const std::string& value)
{
    return OptionTitle(option) + ": '" + Excerpt(value) + "' is not accepted";
}

/// Start of an error message that refuses the first failure of this kind; "" if there is no such
/// failure.
std::string
Refused(const ResolvedRun& run, FailureKind kind)
{
    for (const FailureEvent& event : run.failureEvents)
    {
        if (event.kind == kind)
        {
            return event.place + ": '" + event.text + "' is not accepted with " + run.algorithm;
        }
    }
    return "";
}

/// True if lost messages are retransmitted until they arrive, by the loss policy or by TCP.
bool
IsRepaired(const ResolvedNetwork& run)
{
    return run.lossPolicy == LossPolicy::RELIABLE || UsesTcp(run);
}

/// True if links may lose a transmission without any failure event.
bool
LinksDrop(const ResolvedNetwork& run)
{
    const bool mayLose = run.links ? run.links->MayLose() : run.link->drop > 0.0;
    return run.network != NetworkKind::IDEAL && mayLose;
}

/// True if a message may be lost permanently without any failure event.
bool
IsLossy(const ResolvedNetwork& run)
{
    return LinksDrop(run) && !IsRepaired(run);
}

/// True if a message may be lost. The message also counts as lost if its content is retransmitted
/// or its mass is restored later.
bool
MayLose(const ResolvedRun& run)
{
    return IsLossy(run) || run.outages > Outages::NONE || EmptiesQueues(run) ||
           (run.network == NetworkKind::PACKET && !UsesTcp(run));
}

/// Features that an algorithm with a trusted server excludes. The server's sum hides the
/// contribution of a node only if the sum contains the contributions of all nodes and nodes use no
/// other results.
Feature
TrustedServer(const ResolvedRun& run)
{
    const bool clipsBatch = HasFlag(run.preset.flags, ReleaseFlag::BATCH_CLIP);
    return {
        HasFlag(run.preset.flags, ReleaseFlag::TRUSTED_SERVER),
        "hyper-parameter 'trusted': '1' is not accepted ",
        {// Retransmission does not help: a sender gives up after a limited number of attempts.
         {LinksDrop(run) || MayLose(run),
          "where messages may get lost: a sum without a node's part has less noise than is "
          "certified; expected no loss and no failures"},
         {run.deadline.kind == Deadline::Kind::TIME || run.schedule != Schedule::SYNCHRONOUS,
          "where a node's part may be late; expected --deadline=none or auto, and "
          "--schedule=synchronous"},
         {!run.liars.IsEmpty(), "with nodes that lie: what they send may have no noise"},
         {run.rounds % 2 == 1, "with an odd number of rounds: nodes would keep their own parts"},
         {run.stopAt.has_value(), "with --stopAt: a node that stops adds no noise"},
         {run.sharedLayers.value_or(0) > 0,
          "with --sharedLayers: what stays at a node has its own noise alone"},
         {run.sampler == "full" && !clipsBatch,
          "with --sampler=full: parts of nodes of different size would not weigh alike"}}};
}

std::vector<Feature>
PrivacyFeatures(const ResolvedRun& run)
{
    const AlgorithmPreset& preset = run.preset;
    // All examples of a node are hidden if any change of the node's data moves a release by at most
    // the sensitivity that the guarantee assumes.
    const bool boundsAll = preset.isPrivate && HasFlag(preset.flags, ReleaseFlag::BATCH_CLIP) &&
                           !preset.isAmplified && run.mode == Mode::SOUND;
    const bool haveSecrets =
        preset.sharesNoise && !HasFlag(preset.flags, ReleaseFlag::TRUSTED_SERVER);
    const bool leaks = !run.leakers.IsEmpty();
    return {
        {run.protectsNodes,
         Refused("unit", "node"),
         {{!boundsAll,
           "; expected 'example', or in mode sound an algorithm that clips a node's whole "
           "update: fed-dpa, ppsgd, or dp-fedavg with hyper:clipUpdate=1. What " +
               run.algorithm + " bounds is what one example does"}}},
        TrustedServer(run),
        {leaks,
         Refused(run, FailureKind::NODE_LEAK),
         {{!haveSecrets, ", whose nodes share no secrets; expected --algorithm=decor or corn"}}},
        {leaks,
         Refused("stopAt", ShowNumber(run.stopAt.value_or(0.0))),
         {{run.stopAt.has_value(),
           "; expected none with nodes that leak: what they have spent is known only once they "
           "have leaked"}}},
        {run.noiseSource == "laplace",
         Refused("noiseSource", run.noiseSource),
         {{preset.noiseSource.empty(),
           "; expected another one: " + run.algorithm +
               " bounds L2 norms, and Laplace noise hides L1 norms"}}},
        {run.publicExamples > 0,
         Refused("publicExamples", std::to_string(run.publicExamples)),
         {{run.sampler != "poisson", "; expected own with a sampler other than poisson"},
          {preset.sampledParts > 1,
           "; expected own: " + run.algorithm + " draws from parts of the examples"}}},
        {preset.sampledParts > 1,
         Refused("sampler", run.sampler),
         {{run.sampler != "poisson",
           "; expected poisson, from one of the parts that " + run.algorithm + " makes"}}}};
}

std::vector<Feature>
ExchangeFeatures(const ResolvedRun& run)
{
    const AlgorithmPreset& preset = run.preset;
    const bool hasServer = preset.exchange == Exchange::SERVER;
    const bool isHeard =
        run.lossPolicy == LossPolicy::REFUND || run.lossPolicy == LossPolicy::RELIABLE;
    const bool hasDifferences = SendsDifferences(run);
    return {
        {!run.liars.IsEmpty(),
         "option 'fail': all " + std::to_string(run.nodes) + " nodes lie; expected ",
         {{run.liars.Members().size() == run.nodes,
           "one at least that never does: accuracy is a mean over the honest nodes"}}},
        {!run.liars.IsEmpty(),
         Refused(run, FailureKind::NODE_LIE),
         {{IsEstimating(run), " in mode paper, whose noise waits for other nodes"}},
         "; expected --mode=sound"},
        {run.MixesEarly(),
         Refused("schedule", "wait-free"),
         {{IsEstimating(run), " with a sensitivity that the nodes estimate together"}},
         "; expected synchronous or asynchronous"},
        {run.deadline.kind == Deadline::Kind::NONE,
         Refused("deadline", "none"),
         {{IsLossy(run) && !run.MixesEarly(),
           " where links drop: a synchronous round would wait indefinitely for a lost message"}},
         "; expected auto or a time"},
        {run.deadline.kind == Deadline::Kind::AUTO,
         Refused("deadline", "auto"),
         {{run.compute.kind == ComputeKind::MEASURED && MayWaitForEver(run),
           " with --compute=measured where messages get lost: the length of a step is not known "
           "beforehand"}},
         "; expected a time"},
        {run.chunkBytes > 0,
         Refused("chunk", std::to_string(run.chunkBytes)),
         {{preset.chunks > 0 || preset.tracks,
           "; expected none: " + run.algorithm + " cuts what it sends itself"},
          {IsEstimating(run) &&
               (preset.sensitivity->isOracle || preset.sensitivity->measureEvery > 0) &&
               run.lossPolicy != LossPolicy::RENORMALISE && !AllArriveInTime(run),
           "; expected none with hyper:oracle or hyper:measureEvery where messages may not arrive "
           "in time: the distance of nodes is that of models whose chunks weigh alike"}}},
        {!ParseMixRule(run.mix).IsAverage(),
         Refused("mix", run.mix) + " with ",
         {{run.preset.compress != "none",
           "--compress=" + run.preset.compress + ": what it leaves out is part of a sum"},
          {IsEstimating(run), run.algorithm + ", which estimates how a sum contracts"},
          {preset.tracks, run.algorithm + ", whose trackers have to sum up"},
          {hasServer, run.algorithm + ", whose nodes hear one server"}},
         "; expected average"},
        {run.preset.compress != "none",
         Refused("compress", run.preset.compress) + " with ",
         {{run.payloadBytes, "--payload=bytes"},
          {IsEstimating(run), run.algorithm + ", whose noise waits for other nodes"},
          {hasServer,
           run.algorithm + ", whose nodes keep nothing that could make up for the error"},
          {hasDifferences && run.transport == TransportKind::BROADCAST,
           "--transport=broadcast: each link has a difference of its own"}},
         "; expected none"},
        {hasDifferences,
         Refused("lossPolicy", LossPolicies().NameOf(run.lossPolicy)),
         {{MayLose(run) && !isHeard,
           "; expected refund or reliable where messages may get lost with --compress=" +
               run.preset.compress + " of differences: a sender has to learn of its losses"}}}};
}

/// Features that training steps on a CUDA device exclude.
Feature
Device(const ResolvedRun& run)
{
    const std::string algorithm = "algorithm '" + run.algorithm + "'";
    const ChunkLayout chunks = ResolveChunks(run, SharedParameters(run));
    return {
        run.device == "cuda",
        Refused("device", "cuda") + " with ",
        {{!run.preset.step->IsPlain(), algorithm + ", whose local step is not one noisy gradient"},
         {run.preset.order == GossipOrder::SEND_FIRST, algorithm + ", which sends before it steps"},
         {IsEstimating(run), algorithm + ", which estimates a sensitivity"},
         {run.preset.correlate != nullptr, algorithm + ", whose noise is correlated"},
         {run.noiseSource != "philox", "noise source '" + run.noiseSource + "'"},
         {run.traceLevel == TraceLevel::NOISE, "--traceLevel=noise"},
         {run.preset.compress != "none", "--compress"},
         {!ParseMixRule(run.mix).IsAverage(), "--mix=" + run.mix},
         {!run.liars.IsEmpty(), "nodes that lie"},
         {chunks.Count() > 1 || chunks.Parameters() < run.modelSpec->ParameterCount(),
          "models that travel in parts or chunks"}},
        "; expected --device=cpu"};
}

} // namespace

bool
MayWaitForEver(const ResolvedNetwork& run)
{
    const Outages harmless = IsRepaired(run) ? Outages::PASSING : Outages::NONE;
    return !run.MixesEarly() && (IsLossy(run) || run.outages > harmless);
}

bool
EmptiesQueues(const ResolvedRun& run)
{
    const bool mayEndWithoutAll = run.MixesEarly() || MayWaitForEver(run);
    return run.preset.chunks > 0 && run.network == NetworkKind::MESSAGE &&
           (run.deadline.kind == Deadline::Kind::TIME || mayEndWithoutAll);
}

bool
AllArriveInTime(const ResolvedRun& run)
{
    return !LinksDrop(run) && !MayLose(run) && run.deadline.kind != Deadline::Kind::TIME &&
           run.schedule == Schedule::SYNCHRONOUS;
}

bool
IsEstimating(const ResolvedLearning& run)
{
    return run.mode == Mode::PAPER && run.preset.sensitivity != nullptr;
}

bool
SendsDifferences(const ResolvedLearning& run)
{
    const auto compressor = MakeCompressor(run.preset.compress, run.seed);
    return compressor && (run.preset.sendsDifferences || compressor->IsSparse());
}

void
CheckTogether(const ResolvedRun& run)
{
    CheckFeatures(PrivacyFeatures(run));
    CheckFeatures(ExchangeFeatures(run));
}

std::string
RefusedByDevice(const ResolvedRun& run)
{
    return Device(run).Conflict();
}

void
CheckModel(const ResolvedRun& run)
{
    const ChunkLayout chunks = ResolveChunks(run, SharedParameters(run));
    CheckFeatures(
        {{run.preset.tracks,
          Refused("sharedLayers", std::to_string(run.sharedLayers.value_or(0))),
          {{chunks.Parameters() < run.modelSpec->ParameterCount(),
            "; expected all: " + run.algorithm + " tracks the gradients of all parameters"}}},
         {SendsDifferences(run),
          Refused("compress", run.preset.compress),
          {{!run.preset.tracks && chunks.Count() > StateVectors(run.preset),
            " with --chunk: messages of differences are whole"}},
          "; expected none"},
         Device(run)});
}

} // namespace dpdl
