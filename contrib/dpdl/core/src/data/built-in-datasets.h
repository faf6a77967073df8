// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BUILT_IN_DATASETS_H
#define DPDL_DATA_BUILT_IN_DATASETS_H

#include "dpdl/data/dataset.h"

#include <memory>
#include <string>
#include <vector>

// Functions that register the datasets of one source file each, and helpers that these files share.

namespace dpdl
{

/// Registers a dataset of ten Gaussian classes.
void AddBlobs(Registry<DatasetLoader>& registry);

/// Registers CIFAR-10.
void AddCifar10(Registry<DatasetLoader>& registry);

/// Registers a synthetic dataset with the image size of CIFAR-10.
void AddCifarShaped(Registry<DatasetLoader>& registry);

/// Registers the dataset `file`, which is read from a user's file.
void AddFileDataset(Registry<DatasetLoader>& registry);

/// Registers a synthetic least-squares regression whose features and targets are stored as bytes.
void AddLinearRegression(Registry<DatasetLoader>& registry);

/// Registers MNIST and Fashion-MNIST, which use the same four file names.
void AddMnist(Registry<DatasetLoader>& registry);

/**
 * @brief Finds a file of a dataset, plain or compressed (NAME.gz).
 * @param directories folders that are searched in this order; errors name the first one
 * @param name name of the uncompressed file
 * @param advice advice to the user in the error message
 * @return path of the file
 * @throws UsageError if no folder has the file
 */
std::string FindDatasetFile(const std::vector<std::string>& directories,
                            const std::string& name,
                            const std::string& advice);

/**
 * @brief The dataset with images replaced by their scattering features.
 *
 * Scattering is followed by two normalisations that use the example alone and cost no privacy
 * (Tramer and Boneh, ICLR 2021). Groups of three channels are brought to mean 0 and variance 1, as
 * v / sqrt(variance + 1e-5). The whole example is then scaled to the L2 norm that @p wanted
 * contains, unless it is zero. Between the two normalisations, FeatureWhitening is optional. The
 * whitening depends on 1000 synthetic images of random geometric shapes and on no private data, so
 * it also costs no privacy.
 *
 * @param images dataset of images
 * @param wanted L2 norm of an example's features, and the ridge penalty of the whitening; 0: no
 *        whitening
 * @param workers number of threads, at least 1; the features do not depend on it
 * @return dataset with the same labels and owners, and the features in Split::values
 * @throws UsageError if the examples are not images, or too small
 */
std::shared_ptr<const Dataset> ScatteredDataset(const Dataset& images,
                                                const Features& wanted,
                                                unsigned workers);

/// Largest number of classes of a dataset file; labels are integers below the number of classes.
constexpr double MOST_CLASSES = 65536.0;

/**
 * @brief Number of classes: as declared, or the largest label plus one, at least two.
 * @param what name of the file, for errors
 * @param labels label of each example: nonnegative integers; not empty
 * @param declared number of classes that the user declared; 0: none
 * @throws UsageError if a label is not below the declared number
 */
std::uint32_t CountClasses(const std::string& what,
                           const std::vector<double>& labels,
                           std::uint32_t declared);

/// Reads the npz archive of a request into @p dataset.
/// @throws UsageError naming file and array
void ReadNpz(const DatasetRequest& request, Dataset& dataset);

} // namespace dpdl

#endif // DPDL_DATA_BUILT_IN_DATASETS_H
