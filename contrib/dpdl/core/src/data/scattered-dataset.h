// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SCATTERED_DATASET_H
#define DPDL_DATA_SCATTERED_DATASET_H

#include "dpdl/data/dataset.h"

#include <memory>

namespace dpdl
{

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

#endif // DPDL_DATA_SCATTERED_DATASET_H
