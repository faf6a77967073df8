// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pool-layer.h"

#include "dpdl/base/simd.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Outputs that lie side by side and whose windows do so, too.
std::size_t
RunLength(const PoolShape& s)
{
    return s.stride == 1 ? s.outWidth * s.channels : s.channels;
}

/// Looks at one place of each window: keeps the larger value and says where it came from.
DPDL_MULTIVERSION void
KeepLarger(const float* value,
           std::int32_t place,
           std::size_t length,
           float* __restrict best,
           std::int32_t* __restrict winner)
{
    for (std::size_t i = 0; i < length; ++i)
    {
        const bool better = value[i] > best[i];
        winner[i] = better ? place : winner[i];
        best[i] = better ? value[i] : best[i];
    }
}

DPDL_MULTIVERSION void
Rectify(std::size_t length, float* __restrict best, std::int32_t* __restrict winner)
{
    for (std::size_t i = 0; i < length; ++i)
    {
        // The comparison lets NaN pass.
        const bool dead = best[i] <= 0.0F;
        winner[i] = dead ? -1 : winner[i];
        best[i] = dead ? 0.0F : best[i];
    }
}

/// Gives the gradient to one place of each window, where that is the winner.
DPDL_MULTIVERSION void
GiveToWinner(const float* outGradient,
             const std::int32_t* winner,
             std::int32_t place,
             std::size_t length,
             float* __restrict inGradient)
{
    for (std::size_t i = 0; i < length; ++i)
    {
        inGradient[i] += winner[i] == place ? outGradient[i] : 0.0F;
    }
}

void
RunForward(const float* in, const PoolShape& s, float* best, std::int32_t* winner)
{
    const std::size_t length = RunLength(s);
    std::copy_n(in, length, best);
    std::fill_n(winner, length, 0);
    for (std::size_t place = 1; place < s.kernel * s.kernel; ++place)
    {
        const std::size_t offset = (place / s.kernel * s.inWidth + place % s.kernel) * s.channels;
        KeepLarger(in + offset, static_cast<std::int32_t>(place), length, best, winner);
    }
    if (s.relu)
    {
        Rectify(length, best, winner);
    }
}

void
RunBackward(const float* outGradient,
            const std::int32_t* winner,
            const PoolShape& s,
            float* inGradient)
{
    for (std::size_t place = 0; place < s.kernel * s.kernel; ++place)
    {
        const std::size_t offset = (place / s.kernel * s.inWidth + place % s.kernel) * s.channels;
        GiveToWinner(outGradient,
                     winner,
                     static_cast<std::int32_t>(place),
                     RunLength(s),
                     inGradient + offset);
    }
}

/// Calls run(input offset, output offset) for all runs of an image.
template <typename Run>
void
ForEachRun(const PoolShape& s, const Run& run)
{
    const std::size_t step = s.stride == 1 ? s.outWidth : 1;
    for (std::size_t y = 0; y < s.outHeight; ++y)
    {
        for (std::size_t x = 0; x < s.outWidth; x += step)
        {
            run(s.stride * (y * s.inWidth + x) * s.channels, (y * s.outWidth + x) * s.channels);
        }
    }
}

} // namespace

PoolLayer::PoolLayer(const MaxPool2d& spec,
                     const ImageShape& input,
                     bool relu,
                     std::size_t capacity)
{
    const ImageShape output = OutputShape(spec, input);
    m_shape = {input.channels,
               input.width,
               input.Size(),
               output.height,
               output.width,
               spec.kernel,
               spec.stride,
               relu};
    m_outSize = output.Size();
    m_winner.resize(capacity * m_outSize);
}

void
PoolLayer::Forward(const LayerData& data)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* in = data.in + i * m_shape.inSize;
        float* out = data.out + i * m_outSize;
        std::int32_t* winner = m_winner.data() + i * m_outSize;
        ForEachRun(m_shape, [&](std::size_t from, std::size_t to) {
            RunForward(in + from, m_shape, out + to, winner + to);
        });
    }
}

void
PoolLayer::Backward(const LayerData& data)
{
    if (data.inGradient == nullptr)
    {
        return;
    }
    std::fill_n(data.inGradient, data.count * m_shape.inSize, 0.0F);
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* outGradient = data.outGradient + i * m_outSize;
        const std::int32_t* winner = m_winner.data() + i * m_outSize;
        float* inGradient = data.inGradient + i * m_shape.inSize;
        ForEachRun(m_shape, [&](std::size_t to, std::size_t from) {
            RunBackward(outGradient + from, winner + from, m_shape, inGradient + to);
        });
    }
}

} // namespace dpdl
