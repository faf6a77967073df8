// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_KERNELS_H
#define DPDL_TRAINING_KERNELS_H

#include "dpdl/data/dataset.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// Bytes in [channel, row, column] order to floats byte / 255 in [row, column, channel] order.
void LoadImage(const std::uint8_t* pixels, const ImageShape& shape, float* out);

/// Asks for bytes that are about to be read.
inline void
FetchAhead(const std::uint8_t* bytes, std::size_t size)
{
    for (std::size_t i = 0; i < size; i += 64)
    {
        __builtin_prefetch(bytes + i);
    }
}

/// Sum of squares, in double precision.
double SquaredNorm(const float* values, std::size_t size);

/// Sum of absolute values, in double precision.
double AbsoluteSum(const float* values, std::size_t size);

/// sum += factor * values.
void AddScaled(float* sum, const float* values, float factor, std::size_t size);

/// sum = a + b.
void Add(const float* a, const float* b, std::size_t size, float* sum);

/// values *= factor.
void Scale(float* values, float factor, std::size_t size);

/// Writes the same row of @p width floats @p rows times.
void RepeatRow(float* out, const float* row, std::size_t rows, std::size_t width);

/// sum += the sum of @p rows rows of @p width floats.
void AddRows(float* sum, const float* values, std::size_t rows, std::size_t width);

/// to[r, p, c] = from[r, c, p]: parameters to the [.., pixel, channel] order of the engine.
void ToChannelsLast(const float* from,
                    float* to,
                    std::size_t rows,
                    std::size_t channels,
                    std::size_t pixels);

/// to[r, c, p] = from[r, p, c]: gradients back to the order of the parameters.
void ToChannelsFirst(const float* from,
                     float* to,
                     std::size_t rows,
                     std::size_t channels,
                     std::size_t pixels);

} // namespace dpdl

#endif // DPDL_TRAINING_KERNELS_H
