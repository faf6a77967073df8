// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_FLATTEN_LAYER_H
#define DPDL_TRAINING_FLATTEN_LAYER_H

#include "dpdl/data/dataset.h"
#include "native-layer.h"

namespace dpdl
{

/// From the engine's [row, column, channel] order to the [channel, row, column] order of a vector.
class FlattenLayer : public NativeLayer
{
  public:
    /// @param input shape of what comes in
    explicit FlattenLayer(const ImageShape& input);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_channels; ///< of what comes in
    std::size_t m_pixels;   ///< of what comes in
};

} // namespace dpdl

#endif // DPDL_TRAINING_FLATTEN_LAYER_H
