// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RESIDUAL_LAYER_H
#define DPDL_TRAINING_RESIDUAL_LAYER_H

#include "native-layer.h"

namespace dpdl
{

/**
 * @brief The end of a residual block: adds what flowed into the block.
 *
 * Backward serves the chain alone. The gradient that goes past the block is for the network to add,
 * once the first layer of the block has given its own.
 */
class ResidualLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ResidualLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_size; ///< values of one example
};

} // namespace dpdl

#endif // DPDL_TRAINING_RESIDUAL_LAYER_H
