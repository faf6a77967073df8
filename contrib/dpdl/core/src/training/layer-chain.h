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
 * @brief Whether a layer is a rectifier that the pool behind it takes over: the largest of the
 *        rectified values is the rectified largest value.
 *
 * A residual block that begins between them needs both.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByPool(const std::vector<Layer>& layers, std::size_t index);

/**
 * @brief Whether a layer is the end of a residual block whose sum the tanh before it computes.
 *
 * A residual block that begins between them needs the tanh alone.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByTanh(const std::vector<Layer>& layers, std::size_t index);

/// Whether the values of an image in [row, column, channel] order lie otherwise than a vector's.
bool IsReordered(const ImageShape& shape);

/**
 * @brief Whether a layer is a linear one that sees values in another order than the model means,
 *        because images are in [row, column, channel] order.
 * @param layer of a chain
 * @param input shape of what comes in
 */
bool NeedsFlattening(const Layer& layer, const ImageShape& input);

} // namespace dpdl

#endif // DPDL_TRAINING_LAYER_CHAIN_H
