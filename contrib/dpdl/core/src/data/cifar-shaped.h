// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_CIFAR_SHAPED_H
#define DPDL_DATA_CIFAR_SHAPED_H

#include "dpdl/data/dataset.h"

namespace dpdl
{

/// Adds images of the size of CIFAR-10 that are made, not photographed.
void AddCifarShaped(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_CIFAR_SHAPED_H
