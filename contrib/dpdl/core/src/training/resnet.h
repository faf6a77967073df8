// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RESNET_H
#define DPDL_TRAINING_RESNET_H

#include "dpdl/training/model.h"

namespace dpdl
{

/**
 * @brief ResNet-18 for small images: a stem of one 3 x 3 convolution with stride 1, no pool, group
 *        normalisation.
 *
 * Its parts are stem with first stage, second, third, fourth stage, linear layer.
 * @throws UsageError if the images are smaller than 8 x 8
 */
ModelSpec MakeResNet18(ImageShape input, std::uint32_t classes);

/// The same with batch normalisation, which declares batch statistics.
ModelSpec MakeResNet18BatchNorm(ImageShape input, std::uint32_t classes);

/// The same with the stem for ImageNet: 7 x 7 with stride 2, then a pool of 3 x 3 with stride 2.
/// Grey images enter as three equal channels.
ModelSpec MakeResNet18ImageNet(ImageShape input, std::uint32_t classes);

} // namespace dpdl

#endif // DPDL_TRAINING_RESNET_H
