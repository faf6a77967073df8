// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_CIFAR_10_H
#define DPDL_DATA_CIFAR_10_H

#include "dpdl/data/dataset.h"

namespace dpdl
{

/// Adds CIFAR-10.
void AddCifar10(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_CIFAR_10_H
