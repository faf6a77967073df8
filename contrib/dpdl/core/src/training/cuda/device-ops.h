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

/// Writes each node's biases to all rows of the node's output. Called once per output value.
struct FillBias
{
    Biases biases; ///< biases of the layer
    float* out;    ///< [nodes, rows, width] output values

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = biases.Of(index);
    }
};

/// max(x + bias, 0), which keeps NaN. Called once per value.
struct Rectify
{
    const float* in; ///< [nodes, rows, width] input values x
    float* out;      ///< one result for each input value
    Biases biases;   ///< biases that are added to the input

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const float value = in[index] + biases.Of(index);
        out[index] = value <= 0.0F ? 0.0F : value;
    }
};

/// The gradient of Rectify. Called once per value.
struct RectifyGradient
{
    const float* out;         ///< output values of Rectify
    const float* outGradient; ///< gradient with respect to each output value
    float* inGradient;        ///< gradient with respect to each input value

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = out[index] <= 0.0F ? 0.0F : outGradient[index];
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

/// Sums of rows of doubles. An operation for SumRows(), which adds the results of
/// Term() for each row and calls Store() with the sum.
struct RowSums
{
    const double* values; ///< [rows, width] values to sum
    std::size_t width;    ///< number of values in a row
    double* out;          ///< [rows] sums
    bool add;             ///< true: adds the results to the output; false: overwrites it

    DPDL_HOST_DEVICE std::size_t Width(std::size_t /* row */) const
    {
        return width;
    }

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
                             LoadImages,
                             MixRows,
                             PoolBackward,
                             PoolForward,
                             ProbeMix,
                             Rectify,
                             RectifyGradient,
                             ScaleExamples,
                             ScoreExamples,
                             SpreadPools,
                             SumExamples,
                             SumWindows,
                             SwapAxes,
                             Tangent,
                             TangentGradient,
                             UpdateStates>;

/// All operations for SumRows(), which adds up the terms of each row.
using RowOp = std::variant<MeanOfRows, PartNorms, RowSums>;

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_OPS_H
