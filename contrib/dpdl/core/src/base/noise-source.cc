// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/noise-source.h"

#include "dpdl/base/discrete-gaussian.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/simd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sys/random.h>

// The noise sources philox, laplace, discrete-gaussian and system. Fit() rejects noise that is too
// small for float32.

namespace dpdl
{

namespace
{

/// Base class of the noise sources: stores their names, and makes the random stream of a release.
class NamedNoise : public NoiseSource
{
  public:
    std::string Name() const override
    {
        return m_name;
    }

    std::string Statement() const override
    {
        return m_statement;
    }

    std::string Mechanism() const override
    {
        return m_mechanism;
    }

  protected:
    /// @param name name in the registry
    /// @param mechanism name by which accountants know the noise distribution
    /// @param statement description in one line, which is stored in the trace
    /// @param seed seed and run number; the default is for sources that do not use it
    NamedNoise(const char* name, const char* mechanism, const char* statement, RandomSeed seed = {})
        : m_name(name),
          m_mechanism(mechanism),
          m_statement(statement),
          m_seed(seed)
    {
    }

    /// Random stream for the noise on one release.
    /// @param round number of the release, unique among the releases of the node
    RandomStream Stream(NodeId node, Round round) const
    {
        return RandomStream(m_seed, RandomPurpose::NOISE, node, round);
    }

  private:
    const char* m_name;      ///< name in the registry
    const char* m_mechanism; ///< name by which accountants know the noise distribution
    const char* m_statement; ///< description in one line, which is stored in the trace
    RandomSeed m_seed;       ///< seed and run number
};

/// Source `philox`: adds Gaussian noise, which is the noise standard deviation times the standard
/// normal variables of the random stream (seed, NOISE, node, round).
class PhiloxNoise : public NamedNoise
{
  public:
    explicit PhiloxNoise(RandomSeed seed)
        : NamedNoise(
              "philox",
              "gaussian",
              "float32 noise of a seeded generator: reproducible, and a simulation of privacy "
              "only, because anyone who knows the seed can remove the noise",
              seed)
    {
    }

    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override
    {
        Stream(node, round).AddNormal(values, count, scale.deviation);
    }

    void AddNoisyStep(float* values,
                      const double* sum,
                      std::size_t count,
                      const NoiseScale& scale,
                      float factor,
                      NodeId node,
                      Round round) const override
    {
        Stream(node, round).AddNormalStep({sum, scale.deviation, factor}, count, values);
    }
};

/// Source `laplace`: adds Laplace noise of the random stream (seed, NOISE, node, round). Clip norms
/// and sensitivities are L1 norms.
class LaplaceNoise : public NamedNoise
{
  public:
    explicit LaplaceNoise(RandomSeed seed)
        : NamedNoise(
              "laplace",
              "laplace",
              "float32 Laplace noise of a seeded generator: reproducible, and a simulation of "
              "privacy only, because anyone who knows the seed can remove the noise",
              seed)
    {
    }

    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override
    {
        Stream(node, round).AddLaplace(values, count, scale.deviation);
    }
};

/// Largest absolute value of a sum, in grid steps; larger sums are clamped. Doubles represent
/// integers up to this value exactly, and adding the noise does not overflow.
constexpr double LARGEST_CELL = 0x1p52;

/// Largest power of two that is at most @p x > 0.
double
PowerOfTwoBelow(double x)
{
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, exponent - 1);
}

/// Rounds a number of grid steps to an integer, clamped to +-LARGEST_CELL; NaN becomes
/// -LARGEST_CELL.
std::int64_t
Cell(double cells)
{
    const double high = std::min(cells, LARGEST_CELL);
    return std::llrint(high > -LARGEST_CELL ? high : -LARGEST_CELL);
}

/// Source `discrete-gaussian`: rounds values to multiples of NoiseScale::grid and adds exact
/// discrete Gaussian noise.
class DiscreteGaussianNoise : public NamedNoise
{
  public:
    explicit DiscreteGaussianNoise(RandomSeed seed)
        : NamedNoise(
              "discrete-gaussian",
              "discrete-gaussian",
              "exact discrete Gaussian noise on a grid, its bits from a seeded generator: "
              "reproducible, and a simulation of privacy only, because anyone who knows the seed "
              "can take the noise off",
              seed)
    {
    }

    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override
    {
        if (!(scale.grid > 0.0))
        {
            throw Error("discrete Gaussian noise needs the grid that Fit() chooses");
        }
        WordSequence words(Stream(node, round));
        const DiscreteGaussian noise(static_cast<std::uint32_t>(scale.deviation / scale.grid));
        const double cellsPerUnit = 1.0 / scale.grid;
        for (std::size_t i = 0; i < count; ++i)
        {
            const std::int64_t cell = Cell(values[i] * cellsPerUnit);
            values[i] = static_cast<double>(cell + noise.Draw(words)) * scale.grid;
        }
    }

  private:
    NoiseScale DoFit(double clip, double mu, std::size_t count) const override
    {
        const double root = std::sqrt(static_cast<double>(count));
        const double grid = PowerOfTwoBelow(std::min(clip / root, clip / mu) * 0x1p-10);
        const double sensitivity = clip + grid * root;
        const double cells = std::ceil(sensitivity / mu / grid);
        if (!(grid >= 0x1p-149 && cells >= 1.0 &&
              cells <= static_cast<double>(DiscreteGaussian::MAX_SCALE)))
        {
            const double most = static_cast<double>(DiscreteGaussian::MAX_SCALE) * 0x1p-11 / root;
            throw UsageError("noise source 'discrete-gaussian': noise for one unit of the clip "
                             "bound",
                             ShowNumber(1.0 / mu),
                             "at most " + ShowNumber(most) + " with " + std::to_string(count) +
                                 " parameters");
        }
        return {cells * grid, grid, sensitivity};
    }
};

/// Number of normal samples per call of FillFromSystem(); each sample uses one random 64-bit word.
constexpr std::size_t SYSTEM_BLOCK = 512;

void
FillFromSystem(std::array<std::uint64_t, SYSTEM_BLOCK>& words)
{
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    std::size_t filled = 0;
    while (filled < sizeof(words))
    {
        const ssize_t got = getrandom(bytes + filled, sizeof(words) - filled, 0);
        if (got < 0 && errno != EINTR)
        {
            throw Error("the operating system gives no random numbers: getrandom failed");
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
}

/// Source `system`: adds Gaussian noise from the operating system's cryptographic generator.
class SystemNoise : public NamedNoise
{
  public:
    /// Calls the generator once, so a run on a system without random numbers fails at its start.
    /// @throws Error if the system gives no random numbers
    SystemNoise()
        : NamedNoise(
              "system",
              "gaussian",
              "float noise of the operating system's cryptographic generator: no seed tells it "
              "and no run repeats it, but the spacing of floats is not hidden, and batches follow "
              "from the seed: amplification by sampling needs it to be secret")
    {
        std::array<std::uint64_t, SYSTEM_BLOCK> words;
        FillFromSystem(words);
    }

    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId /* node */,
                  Round /* round */) const override
    {
        std::array<std::uint64_t, SYSTEM_BLOCK> words;
        for (std::size_t begin = 0; begin < count; begin += SYSTEM_BLOCK)
        {
            FillFromSystem(words);
            const std::size_t length = std::min(SYSTEM_BLOCK, count - begin);
            for (std::size_t i = 0; i < length; i += 2)
            {
                // u has 53 bits and is in (0, 1], because its logarithm is taken.
                const double u = (static_cast<double>(words[i] >> 11) + 1.0) * 0x1p-53;
                const double turn = static_cast<double>(words[i + 1] >> 11) * 0x1p-53;
                const double radius = scale.deviation * std::sqrt(-2.0 * std::log(u));
                const double angle = 2.0 * M_PI * turn;
                double* const value = values + begin + i;
                value[0] += radius * std::cos(angle);
                if (i + 1 < length)
                {
                    value[1] += radius * std::sin(angle);
                }
            }
        }
    }
};

DPDL_MULTIVERSION void
AddMultiple(float* values, const double* sum, std::size_t count, float factor)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] += factor * static_cast<float>(sum[i]);
    }
}

/// Smallest accepted noise standard deviation. float32 represents it, and much smaller noise
/// values, with full precision.
constexpr double LEAST_DEVIATION = 0x1p-100;
/// Smallest accepted clip norm. For smaller clip norms, rounding to float32 could exceed the
/// relative margin of 1e-6 by which ClipFactor() keeps gradient norms below the clip norm.
constexpr double LEAST_BOUND = LEAST_DEVIATION;
/// Smallest accepted noise standard deviation, as a fraction of the largest absolute value of a
/// noisy sum. Double precision then keeps 23 bits of the noise.
constexpr double LEAST_SHARE = 0x1p-30;
/// Upper bound on |draw| / NoiseScale::deviation. Laplace draws come closest to it, with up to 36.1
/// times their scale b.
constexpr double LARGEST_DRAW = 64.0;

} // namespace

double
LeastNoise(double largest, int digits)
{
    constexpr double UNITS = 0x1p10;
    int exponent = 0;
    std::frexp(largest, &exponent);
    return std::isfinite(largest) ? std::ldexp(UNITS, exponent - digits)
                                  : std::numeric_limits<double>::infinity();
}

NoiseScale
NoiseSource::Fit(double clip, double mu, std::size_t count, std::size_t batch) const
{
    const double largestSum = clip * static_cast<double>(batch);
    const double most = (std::numeric_limits<float>::max() - largestSum) / LARGEST_DRAW;
    const double deviation = clip / mu;
    const double drawn = LARGEST_DRAW * Spread() * deviation;
    const double least = std::max(LEAST_DEVIATION, LEAST_SHARE * (largestSum + drawn));
    DPDL_REFUSE_IF(!(clip >= LEAST_BOUND),
                   "clip bound of noisy gradients",
                   ShowRounded(clip, 3),
                   "at least " + ShowRounded(LEAST_BOUND, 3) +
                       ", which float32 can hold with all its digits");
    DPDL_REFUSE_IF(!(deviation >= least && deviation <= most),
                   "noise on a sum of up to " + std::to_string(batch) + " gradients clipped at " +
                       ShowNumber(clip),
                   ShowRounded(deviation, 3),
                   most >= least ? "a deviation from " + ShowRounded(least, 3) + " to " +
                                       ShowRounded(most, 3) + ", which float32 can hold"
                                 : "a clip bound whose sum float32 can hold");
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
    static const auto registry =
        Registry<NoiseSourceFactory>("noise source")
            .Add({"philox",
                  "float noise of a seeded generator; reproducible, no secret",
                  "Salmon et al., SC 2011"},
                 [](RandomSeed seed) { return std::make_shared<PhiloxNoise>(seed); })
            .Add({"system",
                  "float noise of the operating system's generator; never the same twice",
                  "getrandom(2)"},
                 [](RandomSeed /* seed */) { return std::make_shared<SystemNoise>(); })
            .Add({"discrete-gaussian",
                  "exact noise on a grid, from the seeded generator; reproducible, no secret",
                  "Canonne, Kamath and Steinke, NeurIPS 2020"},
                 [](RandomSeed seed) { return std::make_shared<DiscreteGaussianNoise>(seed); })
            .Add({"laplace",
                  "float Laplace noise of a seeded generator; for algorithms that bound L1 norms",
                  "Dwork et al., TCC 2006"},
                 [](RandomSeed seed) { return std::make_shared<LaplaceNoise>(seed); });
    return registry;
}

std::shared_ptr<const NoiseSource>
MakeNoiseSource(const std::string& name, RandomSeed seed)
{
    return NoiseSources().Get(name)(seed);
}

} // namespace dpdl
