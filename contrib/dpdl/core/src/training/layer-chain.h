// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LAYER_CHAIN_H
#define DPDL_TRAINING_LAYER_CHAIN_H

#include "dpdl/training/layer.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/**
 * @brief True if a layer is a ReLU that is fused with the max pool after it, since the two
 *        commute.
 *
 * They are not fused if a residual block begins between them.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByPool(const std::vector<Layer>& layers, std::size_t index);

/**
 * @brief True if a layer ends a residual block and is fused with the tanh before it.
 *
 * They are not fused if a residual block begins between them.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByTanh(const std::vector<Layer>& layers, std::size_t index);

/// True if [row, column, channel] order differs from the order of a flat vector.
bool IsReordered(const ImageShape& shape);

/**
 * @brief True if a linear layer needs its input reordered, because images are in [row, column,
 *        channel] order.
 * @param layer of a chain
 * @param input shape of the input
 */
bool NeedsFlattening(const Layer& layer, const ImageShape& input);

} // namespace dpdl

#endif // DPDL_TRAINING_LAYER_CHAIN_H
