// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-rules.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/data/dataset.h"
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
IsRepaired(const RunSettings& settings)
{
    return settings.lossPolicy == LossPolicy::RELIABLE || settings.UsesTcp();
}

/// True if a message may get lost for good without any failure.
bool
IsLossy(const RunSettings& settings)
{
    const bool mayLose = settings.links ? settings.links->MayLose() : settings.drop > 0.0;
    return settings.network != NetworkKind::IDEAL && !IsRepaired(settings) && mayLose;
}

/// True if noise is added.
bool
IsNoisy(const RunSettings& settings, const AlgorithmPreset& preset)
{
    return preset.isPrivate && settings.noise;
}

} // namespace

bool
MayWaitForEver(const RunSettings& settings)
{
    const Outages harmless = IsRepaired(settings) ? Outages::PASSING : Outages::NONE;
    return IsLossy(settings) || settings.outages > harmless;
}

bool
IsEstimating(const RunSettings& settings, const AlgorithmPreset& preset)
{
    return settings.mode == Mode::PAPER && preset.sensitivity != nullptr;
}

void
CheckTogether(const RunSettings& settings, const AlgorithmPreset& preset)
{
    for (const auto& [name, factor] :
         {std::pair{"ClipDecay", preset.clipDecay}, std::pair{"NoiseGrowth", preset.noiseGrowth}})
    {
        if (!(factor >= 1.0 && std::isfinite(factor)))
        {
            throw UsageError("attribute '" + std::string(name) + "'",
                             ShowNumber(factor),
                             "a number >= 1");
        }
    }
    if (IsLossy(settings) && settings.deadline.kind == Deadline::Kind::NONE)
    {
        throw UsageError(
            "option 'deadline': 'none' is not accepted where links drop: a synchronous "
            "round would wait for ever for a lost message; expected auto or a time");
    }
    if (settings.compute.kind == ComputeKind::MEASURED && MayWaitForEver(settings) &&
        settings.deadline.kind == Deadline::Kind::AUTO)
    {
        throw UsageError("option 'deadline': 'auto' is not accepted with --compute=measured where "
                         "messages get lost: nobody knows beforehand how long a step takes; "
                         "expected a time");
    }
}

void
CheckNoiseRows(const RunSettings& settings, const AlgorithmPreset& preset, std::size_t parameters)
{
    if (settings.traceLevel != TraceLevel::NOISE || !IsNoisy(settings, preset))
    {
        return;
    }
    const double vectors = static_cast<double>(settings.nodes) *
                           static_cast<double>(settings.rounds) * preset.step->Iterations();
    const double bytes = vectors * sizeof(float) * static_cast<double>(parameters);
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

void
CheckDevice(const RunSettings& settings, const AlgorithmPreset& preset, const ModelSpec& model)
{
    if (settings.device != "cuda" || EngineInForce(settings.engine, model) != "native")
    {
        return;
    }
    const auto refuseIf = [](bool condition, const std::string& thing) {
        if (condition)
        {
            throw UsageError("option 'device': 'cuda' is not accepted with " + thing +
                             "; expected --device=cpu");
        }
    };
    const std::string algorithm = "algorithm '" + settings.algorithm + "'";
    const ChunkLayout chunks = ChunksInForce(settings, SharedParameters(settings, preset, model));
    refuseIf(!preset.step->IsPlain(), algorithm + ", whose local step is not one noisy gradient");
    refuseIf(preset.order == GossipOrder::SEND_FIRST, algorithm + ", which sends before it steps");
    refuseIf(IsEstimating(settings, preset), algorithm + ", which estimates a sensitivity");
    refuseIf(settings.noiseSource != "philox", "noise source '" + settings.noiseSource + "'");
    refuseIf(settings.traceLevel == TraceLevel::NOISE, "--traceLevel=noise");
    refuseIf(chunks.Count() > 1 || chunks.Parameters() < model.ParameterCount(),
             "models that travel in parts or chunks");
}

std::vector<std::string>
IdleOptions(const RunSettings& settings, const AlgorithmPreset& preset)
{
    std::vector<std::string> warnings;
    if (preset.clip == 0.0 && settings.clip.has_value())
    {
        warnings.push_back("option 'clip' has no effect: " + settings.algorithm + " does not clip");
    }
    if (!settings.dataDir.empty() && IsMade(settings.dataset.substr(0, settings.dataset.find(':'))))
    {
        warnings.push_back("option 'dataDir' has no effect: dataset '" + settings.dataset +
                           "' is made, not read");
    }
    if (preset.noiseMultiplier > 0.0 && settings.given.count("epsilon") > 0)
    {
        warnings.emplace_back("option 'epsilon' has no effect: the noise multiplier is fixed");
    }
    if (settings.network == NetworkKind::IDEAL && settings.drop > 0.0)
    {
        warnings.emplace_back("option 'drop' has no effect: the ideal network loses nothing");
    }
    if (settings.network != NetworkKind::PACKET &&
        settings.IsSet("transport", &RunSettings::transport))
    {
        warnings.emplace_back("option 'transport' has no effect: the network is not 'packet'");
    }
    if (settings.network == NetworkKind::PACKET && settings.drop > 0.0 && !settings.UsesTcp())
    {
        warnings.emplace_back("option 'drop' acts on every packet in packet mode, and a message "
                              "of many packets is lost with any of them");
    }
    if (settings.schedule == Schedule::SYNCHRONOUS && settings.staleness.value_or(0) > 0)
    {
        warnings.emplace_back("option 'staleness' has no effect: the schedule is synchronous");
    }
    if (settings.noiseSource != RunSettings{}.noiseSource && preset.noiseSource.empty() &&
        !IsNoisy(settings, preset))
    {
        warnings.emplace_back("option 'noiseSource' has no effect: no noise is added");
    }
    if (settings.traceLevel == TraceLevel::NOISE && !IsNoisy(settings, preset))
    {
        warnings.emplace_back("option 'traceLevel': 'noise' stores none: no noise is added");
    }
    return warnings;
}

std::vector<std::string>
PrivacyWarnings(const RunSettings& settings, const LearningPlan& plan)
{
    std::vector<std::string> warnings;
    const AlgorithmPreset& algorithm = plan.Settings().algorithm;
    if (IsEstimating(settings, algorithm) && !algorithm.sensitivity->isOracle &&
        algorithm.sensitivity->factor < 1.0)
    {
        warnings.push_back("with C' = " + ShowNumber(algorithm.sensitivity->factor) +
                           " the estimated sensitivity is no bound, not even where all nodes "
                           "start alike: that needs hyper:bound of 1 or more");
    }
    const double kappa = plan.ClaimKappa();
    if (settings.mode == Mode::PAPER && kappa > CLT_KAPPA_REFUSED)
    {
        warnings.push_back("the noise is too small for epsilon " + settings.epsilon.Text() +
                           ": the limit theorem behind the claim is far from holding (kappa " +
                           ShowNumber(kappa) + ", sound up to " + ShowNumber(CLT_KAPPA_INACCURATE) +
                           ")");
    }
    if (!plan.Settings().algorithm.isPrivate || !settings.noise)
    {
        return warnings;
    }
    for (const NodeId node : plan.Representatives())
    {
        for (const Release& release : plan.Releases(node))
        {
            const std::string obstacle = release.Obstacle();
            if (!obstacle.empty())
            {
                warnings.push_back("nothing can be certified: " + obstacle);
                return warnings;
            }
        }
    }
    return warnings;
}

std::string
BatchSizeInForce(const RunSettings& settings, const LearningPlan& plan)
{
    if (settings.sampler != "full")
    {
        return std::to_string(settings.batchSize);
    }
    double least = plan.BatchSize(0);
    double most = least;
    for (const NodeId node : plan.Representatives())
    {
        least = std::min(least, plan.BatchSize(node));
        most = std::max(most, plan.BatchSize(node));
    }
    return ShowNumber(least) + (least == most ? "" : " to " + ShowNumber(most));
}

} // namespace dpdl
