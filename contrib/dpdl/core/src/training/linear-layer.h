// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LINEAR_LAYER_H
#define DPDL_TRAINING_LINEAR_LAYER_H

#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-layer.h"

namespace dpdl
{

/// A fully connected layer whose per-example gradients are never formed.
class LinearLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param input shape of what comes in
     * @param offset where the weight lies in the model's vector; the bias follows
     */
    LinearLayer(const Linear& spec, const ImageShape& input, std::size_t offset);

    void Load(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const float* factors) override;
    void Store(float* gradientSum) override;

  private:
    std::size_t m_in;       ///< values that come in
    std::size_t m_out;      ///< values that go out
    std::size_t m_channels; ///< channels of what comes in
    std::size_t m_pixels;   ///< pixels of what comes in
    std::size_t m_offset;   ///< of the weight in the model's vector

    FloatBuffer m_weight;         ///< [out, pixel, channel]
    FloatBuffer m_bias;           ///< [out]
    FloatBuffer m_weightGradient; ///< [out, pixel, channel]
    FloatBuffer m_biasGradient;   ///< [out]
};

} // namespace dpdl

#endif // DPDL_TRAINING_LINEAR_LAYER_H
