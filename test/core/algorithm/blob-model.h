// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_BLOB_MODEL_H
#define DPDL_TEST_BLOB_MODEL_H

#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"

#include <memory>

namespace dpdl
{

/// Pictures of four pixels in three classes: pixel number `label` is bright, the others are not.
std::shared_ptr<const Dataset> BlobImages(std::size_t examples, RandomSeed seed);

/// Two linear layers for BlobImages(): four tensors, two parts.
ModelSpec DeepLinear();

} // namespace dpdl

#endif // DPDL_TEST_BLOB_MODEL_H
