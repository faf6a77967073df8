// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_LAYER_H
#define DPDL_TRAINING_NATIVE_LAYER_H

#include <cstddef>

namespace dpdl
{

/// What flows into a layer and out of it, and the gradients that flow back, for some examples.
struct LayerData
{
    float* in;          ///< [count, input size]
    float* out;         ///< [count, output size]
    float* inGradient;  ///< [count, input size]; null if nobody needs it
    float* outGradient; ///< [count, output size]
    std::size_t count;  ///< examples, at most the capacity of the layer
};

/**
 * @brief One layer of the native engine, working on a chunk of examples.
 *
 * Images lie in [row, column, channel] order. For each gradient the calls come in this order: Load;
 * for each chunk Forward, Backward, AddSquaredNorms, AddClipped; then Store.
 */
class NativeLayer
{
  public:
    virtual ~NativeLayer() = default;

    /// Takes the parameters over from the model's vector and forgets all gradients.
    virtual void Load(const float* /* parameters */)
    {
    }

    /// out = layer(in).
    virtual void Forward(const LayerData& data) = 0;

    /// inGradient from outGradient; keeps what the parameters' gradients need.
    virtual void Backward(const LayerData& data) = 0;

    /// squares[i] += squared norm of example i's gradient by this layer's parameters.
    virtual void AddSquaredNorms(const LayerData& /* data */, double* /* squares */)
    {
    }

    /// Adds factors[i] * gradient of example i for all i; a factor 0 leaves the example out. May
    /// change @p data.
    virtual void AddClipped(const LayerData& /* data */, const float* /* factors */)
    {
    }

    /// Writes the sum of all AddClipped since Load to its place in the model's vector.
    virtual void Store(float* /* gradientSum */)
    {
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_LAYER_H
