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

/// Values of one parameter tensor in the state vectors of all nodes.
struct ParameterRows
{
    const float* first; ///< values of the first node
    std::size_t stride; ///< number of floats from a node's values to those of the next node
};

/// Writes each node's bias to all rows of the node's output. Called once per output value.
struct FillBias
{
    ParameterRows bias;  ///< biases, [width] for each node
    float* out;          ///< [nodes, rows, width] output values
    Divisor rowsPerNode; ///< number of output rows per node
    Divisor width;       ///< number of values in a row

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t row = Quotient(index, width);
        const std::size_t node = Quotient(row, rowsPerNode);
        out[index] = bias.first[node * bias.stride + (index - row * width)];
    }
};

/// max(x, 0), which keeps NaN. Called once per value.
struct Rectify
{
    const float* in; ///< input values
    float* out;      ///< one result for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = in[index] <= 0.0F ? 0.0F : in[index];
    }
};

/// The gradient of Rectify. Called once per value.
struct RectifyGradient
{
    const float* in;          ///< input values of Rectify
    const float* outGradient; ///< gradient with respect to each output value
    float* inGradient;        ///< gradient with respect to each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = in[index] <= 0.0F ? 0.0F : outGradient[index];
    }
};

/// tanh(x). Called once per value.
struct Tangent
{
    const float* in; ///< input values
    float* out;      ///< one result for each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = tanhf(in[index]);
    }
};

/// The gradient of Tangent. Called once per value.
struct TangentGradient
{
    const float* out;         ///< output values of Tangent
    const float* outGradient; ///< gradient with respect to each output value
    float* inGradient;        ///< gradient with respect to each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = outGradient[index] * (1.0F - out[index] * out[index]);
    }
};

/// out = a + b. Called once per value.
struct AddValues
{
    const float* a; ///< values of the first summand
    const float* b; ///< values of the second summand
    float* out;     ///< sums; may be the array a or b

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = a[index] + b[index];
    }
};

/// Sets doubles to zero. Called once per value.
struct ZeroSums
{
    double* sums; ///< values that are set to zero

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        sums[index] = 0.0;
    }
};

/// Sum over the windows of an image, for each output channel: the gradient with respect to the
/// bias. Called once per image and channel.
struct SumWindows
{
    const float* outGradient; ///< [images, windows, channels] gradients of the outputs
    float* out;               ///< sums [channels] of the first image
    std::size_t windows;      ///< number of windows of an image
    Divisor channels;         ///< number of channels of the output
    std::size_t outStride;    ///< number of floats from the sums of an image to those of the next

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

/// Squared L2 norms of rows, in double precision. An operation for SumRows(), which adds the
/// results of Term() for each row and calls Store() with the sum.
struct SquaredNorms
{
    const float* values;  ///< [rows, width] values whose squares are summed
    std::size_t width;    ///< number of values in a row
    const double* others; ///< [rows] the sum of row r is multiplied by 1 + others[r]; null: it is
                          ///< not multiplied
    double* out;          ///< [rows] squared norms
    bool add;             ///< true: adds the results to the output; false: overwrites it

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

/// Sums of rows of doubles. An operation for SumRows(), as SquaredNorms is.
struct RowSums
{
    const double* values; ///< [rows, width] values to sum
    std::size_t width;    ///< number of values in a row
    double* out;          ///< [rows] sums
    bool add;             ///< true: adds the results to the output; false: overwrites it

    DPDL_HOST_DEVICE double Term(std::size_t row, std::size_t i) const
    {
        return values[row * width + i];
    }

    DPDL_HOST_DEVICE void Store(std::size_t row, double sum) const
    {
        out[row] = add ? out[row] + sum : sum;
    }
};

/// All operations for ForEach(), which calls an operation once for each of many indices, in any
/// order.
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

/// All operations for SumRows(), which adds up the terms of each row.
using RowOp = std::variant<MeanOfRows, RowSums, SquaredNorms>;

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_OPS_H
