// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"
#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/training/local-step.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// AdaD2P and the two algorithms to which its paper compares it. The noise standard deviation of
// AdaD2P is proportional to the norm of the batch's gradient sum. The other two algorithms have a
// constant noise standard deviation.

namespace dpdl
{

namespace
{

/// Schedule of constant step size and noise standard deviation, without clipping.
/// @param unit standard deviation of the noise at noise multiplier 1, > 0
RoundSchedule
Unclipped(double unit)
{
    return [unit](RoundShape& shape, Round /* round */, Round /* rounds */) {
        shape.clip = std::numeric_limits<double>::infinity();
        shape.unit = unit;
    };
}

/**
 * @brief z <- z - stepSize * (S + N) / divisor, with a noise standard deviation proportional to the
 *        gradient norm (AdaD2P, Algorithm 1).
 *
 * S is the sum of the batch's unclipped gradients, and the divisor is the expected batch size. The
 * standard deviation of N is the L2 norm |S| times the factor LocalUpdate::noise of the round. So
 * the noise scale depends on private data, and a zero sum gets no noise.
 */
class NormNoiseStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const Batch batch = context.Draw(job, 0);
        const BoundedSum sum =
            context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job));
        const double* values = sum.Values();
        const double norm = std::sqrt(std::inner_product(values, values + sum.Size(), values, 0.0));
        AddStep(update, context.AddNoise(sum, job, 0, norm), *job.state);
    }
};

constexpr double LARGEST = 1e9;
constexpr double SMALLEST = 1e-9;

/// Appends the hyper-parameters c2 and noiseMultiplier, which all three algorithms have.
/// @param own the algorithm's other hyper-parameters
std::vector<HyperParameter>
WithNoise(std::vector<HyperParameter> own)
{
    own.push_back({"c2", 2.0, SMALLEST, LARGEST, "constant of the noise formula, left open by it"});
    own.push_back({"noiseMultiplier",
                   0.0,
                   0.0,
                   LARGEST,
                   "sigma itself, in both modes; 0: calibrated to epsilon"});
    return own;
}

AlgorithmPreset
AdaPreset(const HyperParameters& hyper)
{
    AlgorithmPreset preset;
    preset.isPrivate = true;
    preset.stepSize = 0.05;
    preset.claim = {ClaimFormula::MOMENTS, true, hyper["c2"]};
    preset.noiseMultiplier = hyper["noiseMultiplier"];
    return preset;
}

/// Registers an algorithm of the AdaD2P paper.
/// @param where algorithm or section of the paper
/// @param own hyper-parameters that only this algorithm has
/// @param finish changes the common preset to that of the algorithm
void
Add(Registry<Algorithm>& registry,
    const std::string& name,
    const std::string& summary,
    const std::string& where,
    std::vector<HyperParameter> own,
    void (*finish)(const HyperParameters& hyper, AlgorithmPreset& preset))
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  "AdaD2P (anonymous submission), " + where,
                  {},
                  "sigma from a rigorous accountant at rate B/J",
                  "sigma = c2 p sqrt(K log(1/delta)) / epsilon at p = 1/J, plain step"},
                 {HyperParameters(WithNoise(std::move(own))), [=](const HyperParameters& hyper) {
                      AlgorithmPreset preset = AdaPreset(hyper);
                      finish(hyper, preset);
                      return preset;
                  }});
}

} // namespace

void
AddAdaD2p(Registry<Algorithm>& registry)
{
    Add(registry,
        "const-ada",
        "gradient push; noise a multiple of a searched bound, nothing clipped; certifies nothing",
        "Algorithm 2 (ConstD2P)",
        {{"bound", 8.5, SMALLEST, LARGEST, "G, largest gradient norm seen in runs without noise"}},
        [](const HyperParameters& hyper, AlgorithmPreset& preset) {
            preset.schedule = Unclipped(hyper["bound"]);
            preset.flags = ReleaseFlag::NO_CLIP | ReleaseFlag::DATA_DEPENDENT_SCALE;
        });
    Add(registry,
        "clip-d2p",
        "gradient push; noise a multiple of the clip bound, from the moments formula",
        "Algorithm 3 (ClipD2P)",
        {},
        [](const HyperParameters& /* hyper */, AlgorithmPreset& preset) { preset.clip = 2.0; });
    Add(registry,
        "ada-d2p",
        "gradient push; noise a multiple of the gradient's own norm; certifies nothing",
        "Algorithm 1",
        {},
        [](const HyperParameters& /* hyper */, AlgorithmPreset& preset) {
            preset.schedule = Unclipped(1.0);
            preset.step = std::make_shared<NormNoiseStep>();
            preset.noiseSource = "philox";
            preset.flags = ReleaseFlag::NO_CLIP | ReleaseFlag::DATA_DEPENDENT_SCALE;
        });
}

} // namespace dpdl
