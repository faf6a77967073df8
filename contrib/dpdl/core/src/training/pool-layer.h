// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_POOL_LAYER_H
#define DPDL_TRAINING_POOL_LAYER_H

#include "dpdl/training/model.h"
#include "native-kernels.h"
#include "native-layer.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief Max pool, alone or with the rectifier in front of it.
 *
 * max(pool(x), 0) = pool(max(x, 0)), so that the pair costs one pass over the output.
 */
class PoolLayer : public NativeLayer
{
  public:
    /**
     * @param spec window
     * @param input shape of what comes in
     * @param relu whether max(x, 0) comes first
     * @param capacity largest number of examples in a block
     */
    PoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu, std::size_t capacity);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    const NativeKernels& m_kernels;      ///< for this processor
    PoolShape m_shape;                   ///< sizes
    std::size_t m_outSize;               ///< values of one output image
    std::vector<std::uint16_t> m_winner; ///< [capacity, output size] place in the window
};

} // namespace dpdl

#endif // DPDL_TRAINING_POOL_LAYER_H
