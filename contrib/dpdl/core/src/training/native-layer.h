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
    bool isFirst{true}; ///< whether no block came before since Begin
};

/**
 * @brief One layer of the native engine.
 *
 * Images lie in [row, column, channel] order. Examples come in blocks, and those of a block one
 * after the other or some at a time. For each gradient the calls come in this order: Begin; for
 * each block Forward for all its examples, then Backward and AddSquaredNorms for all, and
 * AddClipped; then EndBlock. AddClipped may follow each Backward or come once for the whole block.
 *
 * What a layer computes of an example before AddClipped is float32 and has the same bits alone and
 * in any block: one example more or less moves the sum by its own clipped gradient and by the
 * rounding of a sum in double precision, which SumRounding() bounds.
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
     *
     * The clipped gradients of a block are added up before they are added to those of others.
     *
     * @param data may be changed
     * @param factors [count]
     * @param[in,out] gradientSum of the whole model; of the first block since Begin the layer's
     *                part is unspecified before and overwritten
     */
    virtual void AddClipped(const LayerData& /* data */,
                            const double* /* factors */,
                            double* /* gradientSum */)
    {
    }

    /**
     * @brief Adds what the layer has kept of the block's sum.
     * @param isFirst whether no block came before since Begin
     * @param[in,out] gradientSum as of AddClipped
     */
    virtual void EndBlock(bool /* isFirst */, double* /* gradientSum */)
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
