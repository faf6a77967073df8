// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/noise-source.h"

#include "discrete-gaussian-noise.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/simd.h"
#include "laplace-noise.h"
#include "philox-noise.h"
#include "system-noise.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace dpdl
{

namespace
{

Registry<NoiseSourceFactory>
MakeRegistry()
{
    Registry<NoiseSourceFactory> registry("noise source");
    registry.Add({"philox",
                  "float noise of a seeded generator; reproducible, no secret",
                  "Salmon et al., SC 2011",
                  {}},
                 [](RandomSeed seed) { return std::make_shared<PhiloxNoise>(seed); });
    registry.Add({"system",
                  "float noise of the operating system's generator; never the same twice",
                  "getrandom(2)",
                  {}},
                 [](RandomSeed /* seed */) { return std::make_shared<SystemNoise>(); });
    registry.Add({"discrete-gaussian",
                  "exact noise on a grid, from the seeded generator; reproducible, no secret",
                  "Canonne, Kamath and Steinke, NeurIPS 2020",
                  {}},
                 [](RandomSeed seed) { return std::make_shared<DiscreteGaussianNoise>(seed); });
    registry.Add({"laplace",
                  "float Laplace noise of a seeded generator; for algorithms that bound L1 norms",
                  "Dwork et al., TCC 2006",
                  {}},
                 [](RandomSeed seed) { return std::make_shared<LaplaceNoise>(seed); });
    return registry;
}

DPDL_MULTIVERSION void
AddMultiple(float* values, const double* sum, std::size_t count, float factor)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] += factor * static_cast<float>(sum[i]);
    }
}

/// Least deviation: what float32 holds with all its digits, and with room for smaller draws.
constexpr double LEAST_DEVIATION = 0x1p-100;
/// Least deviation for a largest sum of 1: double precision has 23 digits of the noise left.
constexpr double LEAST_SHARE = 0x1p-30;
/// A draw is at most so many deviations; Laplace noise of 53 bits comes closest.
constexpr double LARGEST_DRAW = 64.0;

} // namespace

NoiseScale
NoiseSource::Fit(double clip, double mu, std::size_t count, std::size_t batch) const
{
    const double largestSum = clip * static_cast<double>(batch);
    const double most = (std::numeric_limits<float>::max() - largestSum) / LARGEST_DRAW;
    const double least = std::max(LEAST_DEVIATION, LEAST_SHARE * largestSum);
    const double deviation = clip / mu;
    if (!(deviation >= least && deviation <= most))
    {
        throw UsageError("noise on a sum of up to " + std::to_string(batch) +
                             " gradients clipped at " + ShowNumber(clip),
                         ShowRounded(deviation, 3),
                         most >= least ? "a deviation from " + ShowRounded(least, 3) + " to " +
                                             ShowRounded(most, 3) + ", which float32 can hold"
                                       : "a clip bound whose sum float32 can hold");
    }
    return DoFit(clip, mu, count);
}

void
NoiseSource::AddNoisyStep(float* values,
                          const double* sum,
                          std::size_t count,
                          const NoiseScale& scale,
                          float factor,
                          NodeId node,
                          Round round) const
{
    std::vector<double> noisy(sum, sum + count);
    AddNoise(noisy.data(), count, scale, node, round);
    AddMultiple(values, noisy.data(), count, factor);
}

const Registry<NoiseSourceFactory>&
NoiseSources()
{
    static const Registry<NoiseSourceFactory> registry = MakeRegistry();
    return registry;
}

std::shared_ptr<const NoiseSource>
MakeNoiseSource(const std::string& name, RandomSeed seed)
{
    return NoiseSources().Get(name)(seed);
}

} // namespace dpdl
