// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_OPS_H
#define DPDL_TRAINING_CUDA_DEVICE_OPS_H

#include "example-ops.h"
#include "host-device.h"
#include "image-ops.h"
#include "state-ops.h"
#include "value-ops.h"

#include <cstddef>
#include <variant>

namespace dpdl
{

namespace cuda
{

/// Squared norms of rows, in double precision. A row operation has Term(), a term of a row's
/// sum, and receives the sum.
struct SquaredNorms
{
    const float* values;  ///< [rows, width]
    std::size_t width;    ///< values of a row
    const double* others; ///< [rows] the sum is multiplied by 1 + this; null: by 1
    double* out;          ///< [rows]
    bool add;             ///< adds the result to the output

    DPDL_HOST_DEVICE double Term(std::size_t row, std::size_t i) const
    {
        const auto value = static_cast<double>(values[row * width + i]);
        return value * value;
    }

    DPDL_HOST_DEVICE void Store(std::size_t row, double sum) const
    {
        const double total = others == nullptr ? sum : sum * (1.0 + others[row]);
        out[row] = add ? out[row] + total : total;
    }
};

/// Sums of rows of doubles.
struct RowSums
{
    const double* values; ///< [rows, width]
    std::size_t width;    ///< values of a row
    double* out;          ///< [rows]
    bool add;             ///< adds the result to the output

    DPDL_HOST_DEVICE double Term(std::size_t row, std::size_t i) const
    {
        return values[row * width + i];
    }

    DPDL_HOST_DEVICE void Store(std::size_t row, double sum) const
    {
        out[row] = add ? out[row] + sum : sum;
    }
};

/// All operations that are called once for each of many indices, in any order.
using IndexOp = std::variant<AddValues,
                             ClipExamples,
                             CutWindows,
                             FillBias,
                             JoinWindows,
                             LeaveOut,
                             LoadImages,
                             MixRows,
                             PoolBackward,
                             PoolForward,
                             ProbeMix,
                             Rectify,
                             RectifyGradient,
                             ScaleExamples,
                             ScoreExamples,
                             SumExamples,
                             SumWindows,
                             SwapAxes,
                             Tangent,
                             TangentGradient,
                             UpdateStates,
                             ZeroSums>;

/// All operations that sum up rows.
using RowOp = std::variant<RowSums, SquaredNorms>;

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_OPS_H
