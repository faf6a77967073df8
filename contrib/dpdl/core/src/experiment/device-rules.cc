// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/training/device-timing.h"
#include "dpdl/training/sum-rounding.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// What of a run a CUDA device cannot do; empty if it can do all.
std::string
RefusedByDevice(const ResolvedRun& run)
{
    if (ResolveEngine(run.engine, *run.modelSpec) != "native")
    {
        return "";
    }
    const std::string algorithm = "algorithm '" + run.algorithm + "'";
    const ChunkLayout chunks = ResolveChunks(run, SharedParameters(run));
    const std::vector<std::pair<bool, std::string>> reasons{
        {!run.preset.step->IsPlain(), algorithm + ", whose local step is not one noisy gradient"},
        {run.preset.order == GossipOrder::SEND_FIRST, algorithm + ", which sends before it steps"},
        {IsEstimating(run), algorithm + ", which estimates a sensitivity"},
        {run.preset.correlate != nullptr, algorithm + ", whose noise is correlated"},
        {run.noiseSource != "philox", "noise source '" + run.noiseSource + "'"},
        {run.traceLevel == TraceLevel::NOISE, "--traceLevel=noise"},
        {run.compress != "none", "--compress"},
        {!ParseMixRule(run.mix).IsAverage(), "--mix=" + run.mix},
        {!run.liars.IsEmpty(), "nodes that lie"},
        {chunks.Count() > 1 || chunks.Parameters() < run.modelSpec->ParameterCount(),
         "models that travel in parts or chunks"}};
    const auto found =
        std::find_if(reasons.begin(), reasons.end(), [](const auto& r) { return r.first; });
    return found == reasons.end() ? "" : found->second;
}

} // namespace

void
CheckDevice(const ResolvedRun& run)
{
    const std::string refused = run.device == "cuda" ? RefusedByDevice(run) : "";
    if (!refused.empty())
    {
        throw UsageError("option 'device': 'cuda' is not accepted with " + refused +
                         "; expected --device=cpu");
    }
}

bool
IsFasterOnDevice(const ResolvedRun& run)
{
    const double threshold = DeviceThreshold();
    // A run that goes on, or is shared by processes, stays where its other parts are.
    if (!std::isfinite(threshold) || !run.resume.empty() || !run.part.IsWhole() ||
        ResolveEngine(run.engine, *run.modelSpec) != "native" || !RefusedByDevice(run).empty() ||
        run.data->train.pixels.empty())
    {
        return false;
    }
    // Batches that exceed a block of the sum have no guarantee on a device; those of a sampler with
    // half of it as their mean hardly ever do.
    const bool isNoisy = run.preset.isPrivate && run.noise;
    const bool isCertified = !isNoisy || (run.sampler != "full" && 2 * run.batchSize <= SUM_BLOCK);
    const double operations = static_cast<double>(run.nodes) * static_cast<double>(run.batchSize) *
                              TrainingFlops(*run.modelSpec);
    return isCertified && operations >= threshold && WhyNoCudaDevice().empty();
}

} // namespace dpdl
