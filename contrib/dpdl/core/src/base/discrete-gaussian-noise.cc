// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "discrete-gaussian-noise.h"

#include "dpdl/base/discrete-gaussian.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dpdl
{

namespace
{

/// Sums are cut off at so many grid cells: integers up to here are exact as doubles, and the noise
/// still has room.
constexpr double LARGEST_CELL = 0x1p52;

/// Largest power of two that is not above @p x > 0.
double
PowerOfTwoBelow(double x)
{
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0, exponent - 1);
}

/// Nearest multiple of the grid, in grid cells; what is no number is cut off, too.
std::int64_t
Cell(double cells)
{
    const double high = std::min(cells, LARGEST_CELL);
    return std::llrint(high > -LARGEST_CELL ? high : -LARGEST_CELL);
}

} // namespace

DiscreteGaussianNoise::DiscreteGaussianNoise(RandomSeed seed)
    : m_seed(seed)
{
}

std::string
DiscreteGaussianNoise::Name() const
{
    return "discrete-gaussian";
}

std::string
DiscreteGaussianNoise::Statement() const
{
    return "exact discrete Gaussian noise on a grid, its bits from a seeded generator: "
           "reproducible, and a simulation of privacy only, because whoever knows the seed can "
           "take the noise off";
}

std::string
DiscreteGaussianNoise::Mechanism() const
{
    return "discrete-gaussian";
}

NoiseScale
DiscreteGaussianNoise::DoFit(double clip, double mu, std::size_t count) const
{
    const double root = std::sqrt(static_cast<double>(count));
    const double grid = PowerOfTwoBelow(std::min(clip / root, clip / mu) * 0x1p-10);
    const double sensitivity = clip + grid * root;
    const double cells = std::ceil(sensitivity / mu / grid);
    if (!(grid >= 0x1p-149 && cells >= 1.0 &&
          cells <= static_cast<double>(DiscreteGaussian::MAX_SCALE)))
    {
        const double most = static_cast<double>(DiscreteGaussian::MAX_SCALE) * 0x1p-11 / root;
        throw UsageError("noise source 'discrete-gaussian': noise for one unit of the clip bound",
                         ShowNumber(1.0 / mu),
                         "at most " + ShowNumber(most) + " with " + std::to_string(count) +
                             " parameters");
    }
    return {cells * grid, grid, sensitivity};
}

void
DiscreteGaussianNoise::AddNoise(double* values,
                                std::size_t count,
                                const NoiseScale& scale,
                                NodeId node,
                                Round round) const
{
    if (!(scale.grid > 0.0))
    {
        throw Error("discrete Gaussian noise needs the grid that Fit() chooses");
    }
    WordSequence words(RandomStream(m_seed, RandomPurpose::NOISE, node, round));
    const DiscreteGaussian noise(static_cast<std::uint32_t>(scale.deviation / scale.grid));
    const double cellsPerUnit = 1.0 / scale.grid;
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::int64_t cell = Cell(values[i] * cellsPerUnit);
        values[i] = static_cast<double>(cell + noise.Draw(words)) * scale.grid;
    }
}

} // namespace dpdl
