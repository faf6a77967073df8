// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LAYER_CHAIN_H
#define DPDL_TRAINING_LAYER_CHAIN_H

#include "dpdl/training/layer.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// True if a residual block begins at a layer, so that the end of the block adds the input of this
/// layer.
/// @param layers a chain
/// @param index index of the layer
bool BeginsResidual(const std::vector<Layer>& layers, std::size_t index);

/**
 * @brief True if a layer is a ReLU that is fused with the max pool after it. ReLU before or after
 *        the pool gives the same result.
 *
 * ReLU and pool are not fused if a residual block begins at the max pool, because the block needs
 * the ReLU's output.
 *
 * @param layers a chain
 * @param index index of the layer
 */
bool IsTakenOverByPool(const std::vector<Layer>& layers, std::size_t index);

/**
 * @brief True if a layer ends a residual block and is fused with the tanh before it.
 *
 * The tanh and the end of the block are not fused if another residual block begins between them.
 *
 * @param layers a chain
 * @param index index of the layer
 */
bool IsTakenOverByTanh(const std::vector<Layer>& layers, std::size_t index);

/// True if the order of an image's values in the engine, [row, column, channel], differs from their
/// order in the flat vector, [channel, row, column].
bool IsReordered(const ImageShape& shape);

/**
 * @brief True if a layer is linear and its input has to be reordered. The engine keeps images in
 *        [row, column, channel] order, but the weight expects [channel, row, column] order.
 * @param layer layer of a chain
 * @param input shape of the layer's input
 */
bool NeedsFlattening(const Layer& layer, const ImageShape& input);

} // namespace dpdl

#endif // DPDL_TRAINING_LAYER_CHAIN_H
