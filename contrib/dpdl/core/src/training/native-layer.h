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
    const float* begin; ///< what flowed into the residual block that the layer ends; else null
    std::size_t first;  ///< number of the first example in the block
    std::size_t count;  ///< examples
};

/**
 * @brief One layer of the native engine.
 *
 * Images lie in [row, column, channel] order. Examples come in blocks, and those of a block one
 * after the other or some at a time. For each gradient the calls come in this order: Begin; for
 * each block Forward for all its examples, then Backward and AddSquaredNorms for all, and
 * AddClipped; then Finish. AddClipped may follow each Backward or come once for the whole block.
 */
class NativeLayer
{
  public:
    virtual ~NativeLayer() = default;

    /**
     * @brief Takes the parameters over and forgets all gradients.
     * @param parameters of the whole model; have to stay until the next Begin
     */
    virtual void Begin(const float* /* parameters */)
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

    /**
     * @brief Adds factors[i] * gradient of example i for all i; a factor 0 leaves the example out.
     * @param data may be changed
     * @param factors [count]
     * @param[in,out] gradientSum of the whole model; what the layer has not yet written to it since
     *                Begin is unspecified
     */
    virtual void AddClipped(const LayerData& /* data */,
                            const float* /* factors */,
                            float* /* gradientSum */)
    {
    }

    /// Completes the layer's part of the sum, also where there was no example.
    virtual void Finish(float* /* gradientSum */)
    {
    }

    /// Whether anything after Forward reads what flowed in.
    virtual bool KeepsInput() const
    {
        return false;
    }

    /// Whether Backward reads what flowed out.
    virtual bool KeepsOutput() const
    {
        return false;
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_LAYER_H
