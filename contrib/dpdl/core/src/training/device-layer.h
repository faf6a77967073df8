// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_LAYER_H
#define DPDL_TRAINING_DEVICE_LAYER_H

#include "cuda/device-executor.h"

#include <cstddef>

namespace dpdl
{

/// Batches of some nodes on a device, with memory that their layers share.
struct DevicePass
{
    cuda::DeviceExecutor* executor; ///< runs the operations
    const float* states;            ///< [nodes, parameters]
    std::size_t parameters;         ///< d
    std::size_t nodes;              ///< number of nodes
    std::size_t places;             ///< room for examples of each node
    float* scratch;                 ///< as many as the layer requested; content unspecified
    double* squares;                ///< [nodes, places] squared norms of the examples' gradients
    double* otherSquares;           ///< [nodes, places], scratch memory
    const float* factors;           ///< [nodes, places] clip factors; 0: the example is left out
    float* sums;                    ///< [nodes, parameters] sums of clipped gradients

    /// Places of all nodes.
    std::size_t Examples() const
    {
        return nodes * places;
    }
};

/// Inputs and outputs of a layer, and the gradients with respect to them: [nodes, places, size].
struct DeviceFlow
{
    float* in;          ///< input
    float* out;         ///< values that go out
    float* inGradient;  ///< null if not needed
    float* outGradient; ///< with respect to the output
};

/**
 * @brief One layer of the device program, for the batches of many nodes at a time.
 *
 * Images are in [row, column, channel] order. Parameters are used in place, in the nodes'
 * states. For each gradient the calls come in this order: Forward, Backward, AddSquaredNorms,
 * SumClipped.
 */
class DeviceLayer
{
  public:
    virtual ~DeviceLayer() = default;

    /// Bytes of the layer's own memory for one example.
    virtual std::size_t BytesPerExample() const
    {
        return 0;
    }

    /// Floats of DevicePass::scratch for one example.
    virtual std::size_t ScratchPerExample() const
    {
        return 0;
    }

    /// Allocates the layer's memory, in place of any earlier one.
    virtual void Reserve(cuda::DeviceExecutor& /* executor */, std::size_t /* examples */)
    {
    }

    /// out = layer(in).
    virtual void Forward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// inGradient from outGradient; keeps the inputs of the parameters' gradients.
    virtual void Backward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// Adds the squared norms of the per-example gradients of this layer's parameters.
    virtual void AddSquaredNorms(const DevicePass& /* pass */, const DeviceFlow& /* flow */)
    {
    }

    /// Writes the sums of the clipped gradients of this layer's parameters. May change the flow.
    virtual void SumClipped(const DevicePass& /* pass */, const DeviceFlow& /* flow */)
    {
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_LAYER_H
