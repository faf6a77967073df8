// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RECTIFIED_POOL_H
#define DPDL_TRAINING_RECTIFIED_POOL_H

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

} // namespace dpdl

#endif // DPDL_TRAINING_RECTIFIED_POOL_H
