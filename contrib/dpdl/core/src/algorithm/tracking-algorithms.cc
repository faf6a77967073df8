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
 * Local step of gradient tracking: y <- y + (r - r_old) / B; x <- x - gamma y. y is the tracker,
 * gamma the step size, and B the expected batch size. r is the noisy sum of gradients at z = x / w,
 * and r_old is r of the previous step.
 *
 * The node's state vector is z, followed by y divided by the push-sum weight of y.
 */
class TrackingStep : public LocalStep
{
  public:
    explicit TrackingStep(bool isSmooth)
        : m_isSmooth(isSmooth)
    {
    }

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
        ClipRule rule = WholeGradientRule(job);
        rule.isSmooth = m_isSmooth;
        const BoundedSum sum = context.ClippedSum(job, batch, model, rule);
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

  private:
    bool m_isSmooth; ///< true: use the smooth clip factor, as ClipRule::isSmooth
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
         {{"lossPolicy", "running-sum", "of trackers; models are weighed by what arrived"},
          {"stepScale", "plain", "steps follow the tracker, not the tracker over its weight"}}},
        {{}, [](const HyperParameters&) {
             AlgorithmPreset preset = BaselinePreset(0.5, 2.0, NO_PRIVATE_PAPER);
             preset.tracks = true;
             preset.pullsModels = true;
             preset.lossPolicy = LossPolicy::RUNNING_SUM;
             preset.step = std::make_shared<TrackingStep>(false);
             return preset;
         }});
}

void
AddPorter(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"porter",
         "nodes follow a tracker of all gradients; models and trackers travel as compressed "
         "differences",
         "PORTER-DP of Li and Chi, arXiv:2305.09896, with another accountant",
         {{"compress", "quantize:8", "unless the option says otherwise"},
          {"lossPolicy", "refund", "what a lost message held goes back to its sender"},
          {"stepScale", "plain", "steps follow the tracker, not the tracker over its weight"}}},
        {{{{"mixingRate",
            0.0,
            0.0,
            1.0,
            "gamma: mixes by (1 - gamma) I + gamma P; 0: 1, or what a sparse compressor needs"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset =
                 BaselinePreset(0.5, 2.0, "its paper's theorem has a constant that is not stated");
             preset.tracks = true;
             preset.compress = "quantize:8";
             preset.sendsDifferences = true;
             preset.mixingRate = hyper["mixingRate"];
             preset.lossPolicy = LossPolicy::REFUND;
             preset.step = std::make_shared<TrackingStep>(true);
             return preset;
         }});
}

void
AddCompressed(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"dp-csgp",
         "gradient push whose messages are compressed differences to the ones before",
         "DP-CSGP, arXiv:2512.13583, with noise per clipped example",
         {{"compress", "quantize:8", "unless the option says otherwise"}}},
        {{{{"mixingRate",
            0.0,
            0.0,
            1.0,
            "rho: mixes by (1 - rho) I + rho P; 0: 1, or what a sparse compressor needs"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 1.0, NOT_REPRODUCED);
             preset.compress = "quantize:8";
             preset.sendsDifferences = true;
             preset.mixingRate = hyper["mixingRate"];
             return preset;
         }});
}

} // namespace dpdl
