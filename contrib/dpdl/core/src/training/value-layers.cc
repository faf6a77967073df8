// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/simd.h"
#include "kernels.h"
#include "native-layer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

// Layers of the native engine without parameters: flattening, max pool, ReLU, tanh, and the end of
// a residual block. Loops are compiled for several SIMD levels.

namespace dpdl
{

namespace
{

DPDL_MULTIVERSION void
Rectify(const float* in, float* out, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        // The comparison keeps NaN; max() may replace NaN by 0.
        out[i] = in[i] <= 0.0F ? 0.0F : in[i];
    }
}

DPDL_MULTIVERSION void
RectifyGradient(const float* in, const float* outGradient, float* inGradient, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        inGradient[i] = in[i] <= 0.0F ? 0.0F : outGradient[i];
    }
}

/// tanh(x) is 1 in float32 for x above this value.
constexpr float SATURATED = 10.0F;

/**
 * tanh(x) in float32, from tanh(|x|) = -m / (2 + m) with m = exp(-2 |x|) - 1. This form is also
 * accurate near zero. With an integer k and |r| <= ln(2) / 2, let -2 |x| = k ln 2 + r. Then m = 2^k
 * (exp(r) - 1) + (2^k - 1). The Taylor polynomial of degree 7 gives exp(r) - 1 with the accuracy of
 * float32. A library call would prevent vectorisation.
 */
inline float
HyperbolicTangent(float x)
{
    constexpr float LOG2_E = 1.44269504F;
    constexpr float LN_2_HIGH = 0.693359375F; // few significant bits, so k * LN_2_HIGH is exact
    constexpr float LN_2_LOW = -2.12194440e-4F;
    // 1.5 * 2^23: adding and subtracting it rounds to an integer
    constexpr float ROUNDER = 12582912.0F;
    const float magnitude = std::fabs(x);
    // This form of min() keeps NaN.
    const float y = -2.0F * (magnitude > SATURATED ? SATURATED : magnitude);
    const float shifted = y * LOG2_E + ROUNDER;
    const float k = shifted - ROUNDER;
    const float r = (y - k * LN_2_HIGH) - k * LN_2_LOW;
    float p = 1.0F / 5040.0F;
    p = p * r + 1.0F / 720.0F;
    p = p * r + 1.0F / 120.0F;
    p = p * r + 1.0F / 24.0F;
    p = p * r + 1.0F / 6.0F;
    p = p * r + 0.5F;
    p = p * r * r + r;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &shifted, sizeof(bits));
    bits = (bits + 127U) << 23U; // the low bits of `shifted` are k: the bits of the float 2^k
    float power = 0.0F;
    std::memcpy(&power, &bits, sizeof(power));
    const float m = power * p + (power - 1.0F);
    return std::copysign(-m / (2.0F + m), x);
}

DPDL_MULTIVERSION void
HyperbolicTangents(const float* in, float* out, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        out[i] = HyperbolicTangent(in[i]);
    }
}

/// Computes tangents = tanh(in) and sums = tangents + others, all [size].
DPDL_MULTIVERSION void
AddTangents(const float* in, const float* others, float* tangents, float* sums, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        const float tangent = HyperbolicTangent(in[i]);
        tangents[i] = tangent;
        sums[i] = tangent + others[i];
    }
}

DPDL_MULTIVERSION void
TangentGradient(const float* out, const float* outGradient, float* inGradient, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        inGradient[i] = outGradient[i] * (1.0F - out[i] * out[i]);
    }
}

} // namespace

FlattenLayer::FlattenLayer(const ImageShape& input)
    : m_channels(input.channels),
      m_pixels(static_cast<std::size_t>(input.height) * input.width)
{
}

void
FlattenLayer::Forward(const LayerData& data)
{
    ToChannelsFirst(data.in, data.out, data.count, m_channels, m_pixels);
}

void
FlattenLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        ToChannelsLast(data.outGradient, data.inGradient, data.count, m_channels, m_pixels);
    }
}

PoolLayer::PoolLayer(const MaxPool2d& spec,
                     const ImageShape& input,
                     bool relu,
                     std::size_t capacity)
    : m_kernels(NativeKernelsOf(ResolveSimdLevel()))
{
    DPDL_REFUSE_IF(spec.kernel > 255, "pool: kernel", std::to_string(spec.kernel), "at most 255");
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
        m_kernels.pool(m_shape,
                       data.in + i * m_shape.inSize,
                       data.out + i * m_outSize,
                       m_winner.data() + (data.first + i) * m_outSize);
    }
}

void
PoolLayer::Backward(const LayerData& data)
{
    if (data.inGradient == nullptr)
    {
        return;
    }
    for (std::size_t i = 0; i < data.count; ++i)
    {
        m_kernels.poolGradient(m_shape,
                               data.outGradient + i * m_outSize,
                               m_winner.data() + (data.first + i) * m_outSize,
                               data.inGradient + i * m_shape.inSize);
    }
}

ReluLayer::ReluLayer(std::size_t size)
    : m_size(size)
{
}

void
ReluLayer::Forward(const LayerData& data)
{
    Rectify(data.in, data.out, data.count * m_size);
}

void
ReluLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        RectifyGradient(data.in, data.outGradient, data.inGradient, data.count * m_size);
    }
}

ResidualLayer::ResidualLayer(std::size_t size)
    : m_size(size)
{
}

void
ResidualLayer::Forward(const LayerData& data)
{
    Add(data.in, data.begin, data.count * m_size, data.out);
}

void
ResidualLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr && data.inGradient != data.outGradient)
    {
        std::copy_n(data.outGradient, data.count * m_size, data.inGradient);
    }
}

TanhLayer::TanhLayer(std::size_t size, std::size_t capacity)
    : m_size(size),
      m_tangents(capacity * size)
{
}

void
TanhLayer::Forward(const LayerData& data)
{
    const std::size_t size = data.count * m_size;
    if (KeepsOutput())
    {
        HyperbolicTangents(data.in, data.out, size);
        return;
    }
    float* const tangents = m_tangents.Data() + data.first * m_size;
    AddTangents(data.in, data.begin, tangents, data.out, size);
}

void
TanhLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        const float* const tangents =
            KeepsOutput() ? data.out : m_tangents.Data() + data.first * m_size;
        TangentGradient(tangents, data.outGradient, data.inGradient, data.count * m_size);
    }
}

} // namespace dpdl
