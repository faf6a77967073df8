// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "system-noise.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <sys/random.h>

namespace dpdl
{

namespace
{

/// Normals that are made of one block of random bits; one 64-bit word for each.
constexpr std::size_t BLOCK = 512;

void
FillFromSystem(std::array<std::uint64_t, BLOCK>& words)
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

} // namespace

SystemNoise::SystemNoise()
{
    std::array<std::uint64_t, BLOCK> words;
    FillFromSystem(words);
}

std::string
SystemNoise::Name() const
{
    return "system";
}

std::string
SystemNoise::Statement() const
{
    return "float noise of the operating system's cryptographic generator: no seed tells it and no "
           "run repeats it, but the spacing of floats is not hidden";
}

std::string
SystemNoise::Mechanism() const
{
    return "gaussian";
}

void
SystemNoise::AddNoise(double* values,
                      std::size_t count,
                      const NoiseScale& scale,
                      NodeId /* node */,
                      Round /* round */) const
{
    std::array<std::uint64_t, BLOCK> words;
    for (std::size_t begin = 0; begin < count; begin += BLOCK)
    {
        FillFromSystem(words);
        const std::size_t length = std::min(BLOCK, count - begin);
        for (std::size_t i = 0; i < length; i += 2)
        {
            // 53-bit uniforms: the first in (0, 1], because its logarithm is taken.
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

} // namespace dpdl
