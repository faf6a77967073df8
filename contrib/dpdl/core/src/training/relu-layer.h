// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RELU_LAYER_H
#define DPDL_TRAINING_RELU_LAYER_H

#include "native-layer.h"

namespace dpdl
{

/// max(x, 0), element by element.
class ReluLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ReluLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    std::size_t m_size; ///< values of one example
};

} // namespace dpdl

#endif // DPDL_TRAINING_RELU_LAYER_H
