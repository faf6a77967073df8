// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_OPS_H
#define DPDL_TRAINING_CUDA_DEVICE_OPS_H

#include "example-ops.h"
#include "host-device.h"
#include "image-ops.h"
#include "state-ops.h"

#include <cmath>
#include <cstddef>
#include <variant>

namespace dpdl
{

namespace cuda
{

/// One parameter tensor of all nodes: rows of adjacent nodes are @p stride apart.
struct ParameterRows
{
    const float* first; ///< the first node's parameter
    std::size_t stride; ///< distance between the rows of two nodes
};

/// Writes each node's bias to all rows of its output. One call for each value.
struct FillBias
{
    ParameterRows bias;  ///< [width] of each node
    float* out;          ///< [nodes, rows, width]
    Divisor rowsPerNode; ///< number of rows of each node
    Divisor width;       ///< values of a row

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t row = Quotient(index, width);
        const std::size_t node = Quotient(row, rowsPerNode);
        out[index] = bias.first[node * bias.stride + (index - row * width)];
    }
};

/// max(x, 0), which keeps NaN.
struct Rectify
{
    const float* in; ///< input values x
    float* out;      ///< one result for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = in[index] <= 0.0F ? 0.0F : in[index];
    }
};

/// The gradient of Rectify.
struct RectifyGradient
{
    const float* in;          ///< input values x
    const float* outGradient; ///< one gradient for each output value
    float* inGradient;        ///< one gradient for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = in[index] <= 0.0F ? 0.0F : outGradient[index];
    }
};

/// tanh(x).
struct Tangent
{
    const float* in; ///< input values x
    float* out;      ///< one result for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = tanhf(in[index]);
    }
};

/// The gradient of Tangent.
struct TangentGradient
{
    const float* out;         ///< outputs tanh(x) of Tangent
    const float* outGradient; ///< one gradient for each output value
    float* inGradient;        ///< one gradient for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = outGradient[index] * (1.0F - out[index] * out[index]);
    }
};

/// out = a + b.
struct AddValues
{
    const float* a; ///< first summand; one value for each call
    const float* b; ///< second summand; one value for each call
    float* out;     ///< sums; one for each call; may be a or b

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = a[index] + b[index];
    }
};

/// Sets a double to zero.
struct ZeroSums
{
    double* sums; ///< sums to reset; one for each call

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        sums[index] = 0.0;
    }
};

/// Sum over the windows of an image, for each output channel: the gradient with respect to the
/// bias. One call for each image and channel.
struct SumWindows
{
    const float* outGradient; ///< [images, windows, channels]
    float* out;               ///< [channels] of the first image
    std::size_t windows;      ///< number of windows of an image
    Divisor channels;         ///< number of channels of the output
    std::size_t outStride;    ///< distance between the results of two images

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t image = Quotient(index, channels);
        const std::size_t channel = index - image * channels;
        const float* from = outGradient + image * windows * channels + channel;
        float sum = 0.0F;
        DPDL_UNROLL
        for (std::size_t window = 0; window < windows; ++window)
        {
            sum += from[window * channels];
        }
        out[image * outStride + channel] = sum;
    }
};

/// Squared norms of rows, in double precision. A row operation has Term(), a term of a row's
/// sum, and receives the sum.
struct SquaredNorms
{
    const float* values;  ///< [rows, width] values whose squares are summed
    std::size_t width;    ///< values of a row
    const double* others; ///< [rows] the sum is multiplied by 1 + this; null: by 1
    double* out;          ///< [rows] squared norms
    bool add;             ///< true: add the result to the output

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
    const double* values; ///< [rows, width] values to sum
    std::size_t width;    ///< values of a row
    double* out;          ///< [rows] sums
    bool add;             ///< true: add the result to the output

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
using RowOp = std::variant<MeanOfRows, RowSums, SquaredNorms>;

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_OPS_H
