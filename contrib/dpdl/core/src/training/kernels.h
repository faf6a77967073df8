// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_KERNELS_H
#define DPDL_TRAINING_KERNELS_H

#include "dpdl/data/dataset.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// Loads an image of bytes.
/// @param pixels values in [channel, row, column] order
/// @param shape shape of the image
/// @param[out] out byte / 255 in [row, column, channel] order
void LoadImage(const std::uint8_t* pixels, const ImageShape& shape, float* out);

/// Loads an image of floats.
/// @param values values in [channel, row, column] order
/// @param shape shape of the image
/// @param[out] out the values in [row, column, channel] order
void LoadImage(const float* values, const ImageShape& shape, float* out);

/// Prefetches @p size bytes that the caller is about to read.
inline void
FetchAhead(const void* memory, std::size_t size)
{
    for (std::size_t i = 0; i < size; i += 64)
    {
        __builtin_prefetch(static_cast<const char*>(memory) + i);
    }
}

/// Sum of the squares of @p size values, in double precision.
double SquaredNorm(const float* values, std::size_t size);

/// Sum of the absolute values of @p size values, in double precision.
double AbsoluteSum(const float* values, std::size_t size);

/// Largest absolute value of @p size values; infinity if one of them is infinite or NaN.
float LargestMagnitude(const float* values, std::size_t size);

/// sum[i] += factor * values[i] for @p size values.
void AddScaled(float* sum, const float* values, float factor, std::size_t size);
void AddScaled(double* sum, const float* values, double factor, std::size_t size);

/**
 * @brief sum += factors[r] * rows[r] for all rows r, in double precision. Rows with factor 0 are
 *        skipped.
 * @param rows [count, width]
 * @param factors [count]
 * @param count number of rows
 * @param width number of values of a row
 * @param[in,out] sum [width]
 */
void AddScaledRows(const float* rows,
                   const double* factors,
                   std::size_t count,
                   std::size_t width,
                   double* sum);

/// sum[i] += values[i] for @p size values.
void AddTo(double* sum, const double* values, std::size_t size);

/// Rounds @p size values to the nearest float32 values.
void RoundToFloat(const double* values, float* out, std::size_t size);

/// sum[i] = a[i] + b[i] for @p size values.
void Add(const float* a, const float* b, std::size_t size, float* sum);

/// values[i] *= factor for @p size values.
void Scale(float* values, float factor, std::size_t size);

/// Adds each row of an array [rows, width] to sum [width].
void AddRows(float* sum, const float* values, std::size_t rows, std::size_t width);

/// to[r, p, c] = from[r, c, p] with r a row, c a channel and p a pixel. Converts parameters to the
/// [.., pixel, channel] order of the engine.
void ToChannelsLast(const float* from,
                    float* to,
                    std::size_t rows,
                    std::size_t channels,
                    std::size_t pixels);

/// to[r, c, p] = from[r, p, c], the inverse of ToChannelsLast(). Converts gradients to the order of
/// the parameters.
void ToChannelsFirst(const float* from,
                     float* to,
                     std::size_t rows,
                     std::size_t channels,
                     std::size_t pixels);

} // namespace dpdl

#endif // DPDL_TRAINING_KERNELS_H
