// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BUILT_IN_DATASETS_H
#define DPDL_DATA_BUILT_IN_DATASETS_H

#include "dpdl/data/dataset.h"

#include <string>
#include <vector>

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

/**
 * @brief Path of a file of a dataset, plain or compressed.
 * @param directories where it may be; the first is the one that errors name
 * @param name of the plain file
 * @param advice what to do if it is nowhere
 * @throws UsageError if it is nowhere
 */
std::string FindDatasetFile(const std::vector<std::string>& directories,
                            const std::string& name,
                            const std::string& advice);

} // namespace dpdl

#endif // DPDL_DATA_BUILT_IN_DATASETS_H
