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
 * @brief True if the pool behind a rectifier computes it also: the largest of the
 *        rectified values is the rectified largest value.
 *
 * A residual block that begins between them needs both.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByPool(const std::vector<Layer>& layers, std::size_t index);

/**
 * @brief True if a layer ends a residual block whose sum the tanh before it computes.
 *
 * A residual block that begins between them needs the tanh alone.
 *
 * @param layers a chain
 * @param index of the layer
 */
bool IsTakenOverByTanh(const std::vector<Layer>& layers, std::size_t index);

/// True if [row, column, channel] order differs from the order of a flat vector.
bool IsReordered(const ImageShape& shape);

/**
 * @brief True if a linear layer receives values in another order than the model defines,
 *        because images are in [row, column, channel] order.
 * @param layer of a chain
 * @param input shape of what comes in
 */
bool NeedsFlattening(const Layer& layer, const ImageShape& input);

} // namespace dpdl

#endif // DPDL_TRAINING_LAYER_CHAIN_H
