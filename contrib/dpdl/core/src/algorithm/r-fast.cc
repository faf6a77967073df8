// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/**
 * y <- y + (r - r_old) / B;  x <- x - gamma y, with r the noisy sum of gradients at x.
 *
 * The state is x, then y / w with the push-sum weight w of y.
 */
class TrackingStep : public LocalStep
{
  public:
    std::size_t MemoryVectors() const override
    {
        return 1;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const std::size_t count = context.Model().ParameterCount();
        float* const model = job.state->Data();
        float* const tracker = model + count;
        float* const last = job.memory[0]->Data();
        const Batch batch = context.Draw(job, 0);
        const BoundedSum sum = context.ClippedSum(job, batch, model, WholeGradientRule(job));
        const float* const release = context.AddNoise(sum, job, 0);
        const auto gain = static_cast<float>(1.0 / (update.trackerWeight * update.divisor));
        const auto step = static_cast<float>(update.stepSize * update.trackerWeight);
        for (std::size_t i = 0; i < count; ++i)
        {
            tracker[i] += gain * (release[i] - last[i]);
            model[i] -= step * tracker[i];
        }
        std::copy_n(release, count, last);
    }
};

} // namespace

void
AddRFast(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"r-fast",
         "nodes follow a tracker of all gradients, which no lost message changes",
         "Zhu et al., arXiv:2307.11617, Algorithm 1, with a clip per example and noise",
         "",
         "",
         {{"lossPolicy", "running-sum", "of trackers; models are weighed by what arrived"},
          {"stepScale", "plain", "steps follow the tracker, not the tracker over its weight"}}},
        {{}, [](const HyperParameters&) {
             AlgorithmPreset preset = BaselinePreset(0.5, 2.0);
             preset.tracks = true;
             preset.lossPolicy = LossPolicy::RUNNING_SUM;
             preset.step = std::make_shared<TrackingStep>();
             return preset;
         }});
}

} // namespace dpdl
