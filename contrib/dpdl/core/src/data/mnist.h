// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_MNIST_H
#define DPDL_DATA_MNIST_H

#include "dpdl/data/dataset.h"

namespace dpdl
{

/// Adds MNIST and Fashion-MNIST, which has the same four files.
void AddMnist(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_MNIST_H
