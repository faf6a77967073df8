// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_VALUE_OPS_H
#define DPDL_TRAINING_CUDA_VALUE_OPS_H

#include "host-device.h"

#include <cmath>
#include <cstddef>

namespace dpdl
{
namespace cuda
{

/// One parameter tensor of all nodes: rows of adjacent nodes are @p stride apart.
struct ParameterRows
{
    const float* first; ///< the first node's parameter
    std::size_t stride; ///< d
};

/// Writes each node's bias to all rows of its output. One call for each value.
struct FillBias
{
    ParameterRows bias;      ///< [width] of each node
    float* out;              ///< [nodes, rows, width]
    std::size_t rowsPerNode; ///< rows
    std::size_t width;       ///< values of a row

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
    const float* in; ///< x
    float* out;      ///< as many

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = in[index] <= 0.0F ? 0.0F : in[index];
    }
};

/// The gradient of Rectify.
struct RectifyGradient
{
    const float* in;          ///< x
    const float* outGradient; ///< as many
    float* inGradient;        ///< as many

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = in[index] <= 0.0F ? 0.0F : outGradient[index];
    }
};

/// tanh(x).
struct Tangent
{
    const float* in; ///< x
    float* out;      ///< as many

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = tanhf(in[index]);
    }
};

/// The gradient of Tangent.
struct TangentGradient
{
    const float* out;         ///< tanh(x)
    const float* outGradient; ///< as many
    float* inGradient;        ///< as many

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        inGradient[index] = outGradient[index] * (1.0F - out[index] * out[index]);
    }
};

/// out = a + b.
struct AddValues
{
    const float* a; ///< as many as calls
    const float* b; ///< as many
    float* out;     ///< as many; may be a or b

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        out[index] = a[index] + b[index];
    }
};

/// Sets a double to zero.
struct ZeroSums
{
    double* sums; ///< as many as calls

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
    std::size_t windows;      ///< of an image
    std::size_t channels;     ///< of the output
    std::size_t outStride;    ///< between the results of two images

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t image = Quotient(index, channels);
        const std::size_t channel = index - image * channels;
        const float* from = outGradient + image * windows * channels + channel;
        float sum = 0.0F;
        for (std::size_t window = 0; window < windows; ++window)
        {
            sum += from[window * channels];
        }
        out[image * outStride + channel] = sum;
    }
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_VALUE_OPS_H
