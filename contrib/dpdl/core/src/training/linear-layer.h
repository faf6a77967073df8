// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LINEAR_LAYER_H
#define DPDL_TRAINING_LINEAR_LAYER_H

#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "native-layer.h"
#include "product-scratch.h"

namespace dpdl
{

/// A fully connected layer on vectors, whose per-example gradients are never formed.
class LinearLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param offset where the weight lies in the model's vector; the bias follows
     * @param block largest number of examples in a block
     */
    LinearLayer(const Linear& spec, std::size_t offset, std::size_t block);

    void Begin(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const double* factors, double* gradientSum) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    bool HasFewInputs() const;
    const float* PaddedWeight();

    std::size_t m_in;               ///< values that come in
    std::size_t m_out;              ///< values that go out
    std::size_t m_offset;           ///< of the weight in the model's vector
    const NativeKernels& m_kernels; ///< for this processor
    FloatBuffer m_noBias;           ///< [padded in] zeros
    FloatBuffer m_padded;           ///< [out, padded in] where NativeKernels want it
    FloatBuffer m_transposed;       ///< [in, padded out] where there are few inputs
    FloatBuffer m_bias;             ///< [padded out] likewise
    ProductScratch m_scratch;       ///< for the products of a block

    const float* m_weight{nullptr}; ///< [out, in], then the bias, since Begin
    bool m_isPadded{false};         ///< whether m_padded has this Begin's weight
};

} // namespace dpdl

#endif // DPDL_TRAINING_LINEAR_LAYER_H
