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
 * @throws UsageError if no folder has the file, plain or compressed
 */
std::string FindDatasetFile(const std::vector<std::string>& directories,
                            const std::string& name,
                            const std::string& advice);

/**
 * @brief Computes a dataset with scattering features (class Scattering) in place of images.
 *
 * The features of an image [channels, height, width] have the shape [81 * channels, height / 4,
 * width / 4], rounded down. Three steps follow (Tramer and Boneh, ICLR 2021, without step 2):
 * - Step 1: every three successive channels of features form a group. With the mean and the
 *   variance of all values in its group, each value v becomes (v - mean) / sqrt(variance + 1e-5).
 * - Step 2, only if wanted.penalty > 0: FeatureWhitening, separately for each colour channel of the
 *   image. It makes 1000 * channels features, of shape [1000 * channels, 1, 1].
 * - Step 3: all features of the example are divided by a common factor, so their L2 norm is
 *   wanted.length. Features that are all 0 stay 0.
 *
 * Steps 1 and 3 use only the example itself. Step 2 also uses 1000 synthetic images of random
 * geometric shapes, which contain no private data. Therefore no step costs privacy.
 *
 * @param images dataset of images, at least 8 pixels high and wide
 * @param wanted `length`: L2 norm of an example's features, above 0; `penalty`: ridge penalty of
 *        the whitening, or 0 for no whitening
 * @param workers number of threads, at least 1; the features do not depend on this number
 * @return dataset with the name, labels and owners of @p images, and the features in Split::values
 * @throws UsageError if the height or width of the examples is below 8 pixels, as for vectors
 */
std::shared_ptr<const Dataset> ScatteredDataset(const Dataset& images,
                                                const Features& wanted,
                                                unsigned workers);

/// Largest number of classes of a dataset file; labels are integers below the number of classes.
constexpr double MOST_CLASSES = 65536.0;

/**
 * @brief Returns the declared number of classes. If none is declared, returns the largest label
 *        plus one, but at least two.
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
