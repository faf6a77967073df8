// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "kernels.h"

#include "dpdl/base/simd.h"
#include "native-kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

// Element-wise loops and reductions of the native engine. Each function is compiled for several
// SIMD levels, or calls the NativeKernels of this processor.

namespace dpdl
{

namespace
{

constexpr std::size_t LANES = 16;

/// pixel / 255, correctly rounded. Multiplying by 1 / 255 and correcting the rounding error is
/// faster than a division.
inline float
Brightness(std::uint8_t pixel)
{
    constexpr float RECIPROCAL = 1.0F / 255.0F;
    const auto value = static_cast<float>(pixel);
    const float product = value * RECIPROCAL;
    return product + (value - 255.0F * product) * RECIPROCAL;
}

/// Native kernels of the SIMD level of this processor.
const NativeKernels&
Kernels()
{
    static const NativeKernels& kernels = NativeKernelsOf(ResolveSimdLevel());
    return kernels;
}

} // namespace

DPDL_MULTIVERSION void
LoadImage(const std::uint8_t* pixels, const ImageShape& shape, float* out)
{
    const std::size_t channels = shape.channels;
    const std::size_t plane = static_cast<std::size_t>(shape.height) * shape.width;
    if (channels == 1)
    {
        for (std::size_t p = 0; p < plane; ++p)
        {
            out[p] = Brightness(pixels[p]);
        }
        return;
    }
    for (std::size_t c = 0; c < channels; ++c)
    {
        for (std::size_t p = 0; p < plane; ++p)
        {
            out[p * channels + c] = Brightness(pixels[c * plane + p]);
        }
    }
}

void
LoadImage(const float* values, const ImageShape& shape, float* out)
{
    const std::size_t channels = shape.channels;
    const std::size_t plane = static_cast<std::size_t>(shape.height) * shape.width;
    if (channels == 1 || plane == 1)
    {
        std::copy_n(values, channels * plane, out);
        return;
    }
    for (std::size_t c = 0; c < channels; ++c)
    {
        for (std::size_t p = 0; p < plane; ++p)
        {
            out[p * channels + c] = values[c * plane + p];
        }
    }
}

double
SquaredNorm(const float* values, std::size_t size)
{
    return Kernels().squaredNorm(values, size);
}

DPDL_MULTIVERSION double
AbsoluteSum(const float* values, std::size_t size)
{
    double sums[LANES] = {};
    std::size_t i = 0;
    for (; i + LANES <= size; i += LANES)
    {
        for (std::size_t j = 0; j < LANES; ++j)
        {
            sums[j] += std::fabs(static_cast<double>(values[i + j]));
        }
    }
    double total = 0.0;
    for (; i < size; ++i)
    {
        total += std::fabs(static_cast<double>(values[i]));
    }
    for (const double sum : sums)
    {
        total += sum;
    }
    return total;
}

DPDL_MULTIVERSION float
LargestMagnitude(const float* values, std::size_t size)
{
    // The bit patterns of absolute values, compared as integers, have the same order as the values.
    // NaN is above infinity.
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        std::uint32_t bits;
        std::memcpy(&bits, values + i, sizeof(bits));
        largest = std::max(largest, bits & 0x7fffffffU);
    }
    float magnitude;
    std::memcpy(&magnitude, &largest, sizeof(magnitude));
    return std::isfinite(magnitude) ? magnitude : std::numeric_limits<float>::infinity();
}

DPDL_MULTIVERSION void
AddScaled(float* sum, const float* values, float factor, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] += factor * values[i];
    }
}

void
AddScaled(double* sum, const float* values, double factor, std::size_t size)
{
    Kernels().addScaledRows(values, &factor, 1, size, sum);
}

void
AddScaledRows(const float* rows,
              const double* factors,
              std::size_t count,
              std::size_t width,
              double* sum)
{
    Kernels().addScaledRows(rows, factors, count, width, sum);
}

DPDL_MULTIVERSION void
AddTo(double* sum, const double* values, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] += values[i];
    }
}

DPDL_MULTIVERSION void
RoundToFloat(const double* values, float* out, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        out[i] = static_cast<float>(values[i]);
    }
}

DPDL_MULTIVERSION void
Add(const float* a, const float* b, std::size_t size, float* sum)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] = a[i] + b[i];
    }
}

DPDL_MULTIVERSION void
Scale(float* values, float factor, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        values[i] *= factor;
    }
}

DPDL_MULTIVERSION void
AddRows(float* sum, const float* values, std::size_t rows, std::size_t width)
{
    std::size_t i = 0;
    for (; i + LANES <= width; i += LANES)
    {
        float sums[LANES] = {};
        for (std::size_t r = 0; r < rows; ++r)
        {
            for (std::size_t j = 0; j < LANES; ++j)
            {
                sums[j] += values[r * width + i + j];
            }
        }
        for (std::size_t j = 0; j < LANES; ++j)
        {
            sum[i + j] += sums[j];
        }
    }
    for (; i < width; ++i)
    {
        for (std::size_t r = 0; r < rows; ++r)
        {
            sum[i] += values[r * width + i];
        }
    }
}

void
ToChannelsLast(const float* from,
               float* to,
               std::size_t rows,
               std::size_t channels,
               std::size_t pixels)
{
    if (channels == 1 || pixels == 1)
    {
        std::copy_n(from, rows * channels * pixels, to);
        return;
    }
    for (std::size_t r = 0; r < rows; ++r)
    {
        for (std::size_t c = 0; c < channels; ++c)
        {
            for (std::size_t p = 0; p < pixels; ++p)
            {
                to[(r * pixels + p) * channels + c] = from[(r * channels + c) * pixels + p];
            }
        }
    }
}

void
ToChannelsFirst(const float* from,
                float* to,
                std::size_t rows,
                std::size_t channels,
                std::size_t pixels)
{
    ToChannelsLast(from, to, rows, pixels, channels);
}

} // namespace dpdl
