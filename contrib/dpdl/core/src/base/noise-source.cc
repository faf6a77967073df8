// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/noise-source.h"

#include "discrete-gaussian-noise.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/simd.h"
#include "system-noise.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace dpdl
{

namespace
{

/// Normals of the stream (seed, NOISE, node, round).
class PhiloxNoise : public NoiseSource
{
  public:
    explicit PhiloxNoise(RandomSeed seed);

    std::string Name() const override;
    std::string Statement() const override;
    std::string Mechanism() const override;
    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override;
    void AddNoisyStep(float* values,
                      const double* sum,
                      std::size_t count,
                      const NoiseScale& scale,
                      float factor,
                      NodeId node,
                      Round round) const override;

  private:
    RandomSeed m_seed; ///< names the run
};

PhiloxNoise::PhiloxNoise(RandomSeed seed)
    : m_seed(seed)
{
}

std::string
PhiloxNoise::Name() const
{
    return "philox";
}

std::string
PhiloxNoise::Statement() const
{
    return "float32 noise of a seeded generator: reproducible, and a simulation of privacy only, "
           "because whoever knows the seed can take the noise off";
}

std::string
PhiloxNoise::Mechanism() const
{
    return "gaussian";
}

void
PhiloxNoise::AddNoise(double* values,
                      std::size_t count,
                      const NoiseScale& scale,
                      NodeId node,
                      Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    stream.AddNormal(values, count, scale.deviation);
}

void
PhiloxNoise::AddNoisyStep(float* values,
                          const double* sum,
                          std::size_t count,
                          const NoiseScale& scale,
                          float factor,
                          NodeId node,
                          Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    stream.AddNormalStep({sum, scale.deviation, factor}, count, values);
}

/// Values that one chunk of random words gives: two words for each.
constexpr std::size_t CHUNK = RandomStream::WORDS_AT_ONCE / 2;

/**
 * ln(x) for x in (0, 1], to 1e-15: with x = 2^e (1 + f) and s = f / (2 + f) it is e ln 2 + 2 s +
 * s R(s^2), R being FreeBSD's polynomial. A function of the library would not be vectorised.
 */
inline double
Log(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(bits));
    // Mantissa in [sqrt(1/2), sqrt(2)).
    const std::uint64_t shifted = bits - 0x3fe6a09e667f3bcdULL;
    const auto exponent = static_cast<std::int64_t>(shifted) >> 52;
    bits -= static_cast<std::uint64_t>(exponent) << 52;
    double mantissa = 0.0;
    std::memcpy(&mantissa, &bits, sizeof(mantissa));
    const double f = mantissa - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = 1.479819860511658591e-1;
    p = p * z + 1.531383769920937332e-1;
    p = p * z + 1.818357216161805012e-1;
    p = p * z + 2.222219843214978396e-1;
    p = p * z + 2.857142874366239149e-1;
    p = p * z + 3.999999999940941908e-1;
    p = p * z + 6.666666666666735130e-1;
    return static_cast<double>(exponent) * 6.931471805599453094e-1 + (2.0 * s + s * (p * z));
}

/**
 * Adds Laplace variables times a deviation to the values of a chunk. Each is made of 64 random
 * bits, of which 52 count: the middle of a cell of [0, 1), never 0 and never 1, and exact.
 */
DPDL_MULTIVERSION void
AddChunk(const std::uint32_t* words, double deviation, std::size_t count, double* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t bits =
            (static_cast<std::uint64_t>(words[2 * i]) << 32) | words[2 * i + 1];
        // A number in [1, 2) with these 52 bits, and half a cell more.
        const std::uint64_t cell = (bits >> 12) | 0x3ff0000000000000ULL;
        double u = 0.0;
        std::memcpy(&u, &cell, sizeof(u));
        u = (u - 1.0) + 0x1p-53;
        const bool low = u < 0.5;
        const double size = deviation * Log(2.0 * (low ? u : 1.0 - u));
        values[i] += low ? size : -size;
    }
}

/// Laplace noise of the stream (seed, NOISE, node, round); bounds and sensitivities are L1.
class LaplaceNoise : public NoiseSource
{
  public:
    explicit LaplaceNoise(RandomSeed seed);

    std::string Name() const override;
    std::string Statement() const override;
    std::string Mechanism() const override;
    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override;

  private:
    RandomSeed m_seed; ///< names the run
};

LaplaceNoise::LaplaceNoise(RandomSeed seed)
    : m_seed(seed)
{
}

std::string
LaplaceNoise::Name() const
{
    return "laplace";
}

std::string
LaplaceNoise::Statement() const
{
    return "float32 Laplace noise of a seeded generator: reproducible, and a simulation of privacy "
           "only, because whoever knows the seed can take the noise off";
}

std::string
LaplaceNoise::Mechanism() const
{
    return "laplace";
}

void
LaplaceNoise::AddNoise(double* values,
                       std::size_t count,
                       const NoiseScale& scale,
                       NodeId node,
                       Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    std::array<std::uint32_t, RandomStream::WORDS_AT_ONCE> words;
    for (std::size_t begin = 0; begin < count; begin += CHUNK)
    {
        stream.FillWords(begin / CHUNK, words.data());
        const std::size_t length = std::min(CHUNK, count - begin);
        AddChunk(words.data(), scale.deviation, length, values + begin);
    }
}

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

NoiseScale
NoiseSource::DoFit(double clip, double mu, std::size_t /* count */) const
{
    return {clip / mu, 0.0, clip};
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
