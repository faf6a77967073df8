// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_BLOBS_H
#define DPDL_DATA_BLOBS_H

#include "dpdl/data/dataset.h"

namespace dpdl
{

/// Adds a dataset of ten Gaussian classes.
void AddBlobs(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_BLOBS_H
