// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LINEAR_LAYER_H
#define DPDL_TRAINING_LINEAR_LAYER_H

#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "native-layer.h"

namespace dpdl
{

/// A fully connected layer on vectors, whose per-example gradients are never formed.
class LinearLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param offset where the weight lies in the model's vector; the bias follows
     */
    LinearLayer(const Linear& spec, std::size_t offset);

    void Begin(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const float* factors, float* gradientSum) override;
    void Finish(float* gradientSum) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    void AddProducts(const LayerData& data, float* sum) const;

    std::size_t m_in;               ///< values that come in
    std::size_t m_out;              ///< values that go out
    std::size_t m_offset;           ///< of the weight in the model's vector
    const NativeKernels& m_kernels; ///< for this processor
    FloatBuffer m_noBias;           ///< [padded in] zeros
    FloatBuffer m_transposed;       ///< [in, padded out] where there are few inputs
    FloatBuffer m_bias;             ///< [padded out] likewise

    const float* m_weight{nullptr}; ///< [out, in], then the bias, since Begin
    bool m_hasSum{false};           ///< whether anything has been written since Begin
};

} // namespace dpdl

#endif // DPDL_TRAINING_LINEAR_LAYER_H
