// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"

#include "normal-kernels.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Those for this processor.
const NormalKernels&
Kernels()
{
    static const NormalKernels& kernels = NormalKernelsOf(SimdLevelInForce());
    return kernels;
}

} // namespace

std::array<std::uint32_t, 4>
Philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key)
{
    for (int round = 0; round < PHILOX_ROUNDS; ++round)
    {
        const std::uint64_t p0 = static_cast<std::uint64_t>(MULTIPLIER_0) * counter[0];
        const std::uint64_t p1 = static_cast<std::uint64_t>(MULTIPLIER_1) * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(p0)};
        key[0] += WEYL_0;
        key[1] += WEYL_1;
    }
    return counter;
}

RandomStream::RandomStream(RandomSeed seed, RandomPurpose purpose, NodeId node, Round round)
    : m_name{{seed.seed, seed.run}, {static_cast<std::uint32_t>(purpose), node, round}}
{
}

std::array<std::uint32_t, 4>
RandomStream::Block(std::uint64_t index) const
{
    const std::array<std::uint32_t, 3>& counter = m_name.counter;
    return Philox4x32({static_cast<std::uint32_t>(index),
                       (static_cast<std::uint32_t>(index >> 32) & 0xffffU) | (counter[0] << 16),
                       counter[1],
                       counter[2]},
                      m_name.key);
}

std::uint32_t
RandomStream::Word(std::uint64_t element) const
{
    return Block(element / 4)[element % 4];
}

void
RandomStream::FillWords(std::uint64_t chunk, std::uint32_t* out) const
{
    Kernels().words(m_name, WORDS_AT_ONCE / 4 * chunk, out);
}

double
RandomStream::Uniform(std::uint64_t element) const
{
    const std::array<std::uint32_t, 4> block = Block(element / 2);
    const std::size_t half = 2 * (element % 2);
    const std::uint64_t bits = (static_cast<std::uint64_t>(block[half]) << 32) | block[half + 1];
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::uint32_t
RandomStream::Integer(std::uint64_t element, std::uint32_t bound) const
{
    const auto value = static_cast<std::uint32_t>(Uniform(element) * bound);
    return std::min(value, bound - 1);
}

void
RandomStream::FillNormal(float* out, std::size_t count) const
{
    Kernels().fill(m_name, count, out);
}

void
RandomStream::AddNormal(float* values, std::size_t count, float scale) const
{
    Kernels().add(m_name, count, scale, values);
}

void
RandomStream::AddNormal(double* values, std::size_t count, double scale) const
{
    Kernels().addDoubles(m_name, count, scale, values);
}

void
RandomStream::AddNormalStep(const NoisyStep& step, std::size_t count, float* values) const
{
    Kernels().step(m_name, count, step, values);
}

} // namespace dpdl
