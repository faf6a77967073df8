// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BUILT_IN_DATASETS_H
#define DPDL_DATA_BUILT_IN_DATASETS_H

#include "dpdl/data/dataset.h"

// Each function enters the datasets of one file into the registry.

namespace dpdl
{

/// Adds a dataset of ten Gaussian classes.
void AddBlobs(Registry<DatasetLoader>& registry);

/// Adds CIFAR-10.
void AddCifar10(Registry<DatasetLoader>& registry);

/// Adds images of the size of CIFAR-10 that are made, not photographed.
void AddCifarShaped(Registry<DatasetLoader>& registry);

/// Adds a dataset of a user's file.
void AddFileDataset(Registry<DatasetLoader>& registry);

/// Adds a least squares problem: bytes as features, a byte as target.
void AddLinearRegression(Registry<DatasetLoader>& registry);

/// Adds MNIST and Fashion-MNIST, which has the same four files.
void AddMnist(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_BUILT_IN_DATASETS_H
