// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BUILT_IN_DATASETS_H
#define DPDL_DATA_BUILT_IN_DATASETS_H

#include "dpdl/data/dataset.h"

#include <memory>
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

/**
 * @brief The dataset with every image replaced by its scattering features.
 *
 * Scattering, then two normalisations that use the example alone, and so cost no privacy (Tramer
 * and Boneh, ICLR 2021): three channels at a time are brought to mean 0 and variance 1, as v /
 * sqrt(variance + 1e-5); the whole example is then divided by its L2 norm. An example of zeros
 * stays one. In between FeatureWhitening takes its place, if wanted: by 1000 images of
 * random shapes, which are the same for everyone, so that it costs no privacy either.
 *
 * @param images the dataset
 * @param wanted L2 norm of an example's features, and the penalty of whitening
 * @param workers threads, 1 or more; the features do not depend on it
 * @return the same labels and owners; the features in Split::values
 * @throws UsageError if the examples are no images, or too small
 */
std::shared_ptr<const Dataset> ScatteredDataset(const Dataset& images,
                                                const Features& wanted,
                                                unsigned workers);

} // namespace dpdl

#endif // DPDL_DATA_BUILT_IN_DATASETS_H
