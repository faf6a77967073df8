// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_LINEAR_REGRESSION_H
#define DPDL_DATA_LINEAR_REGRESSION_H

#include "dpdl/data/dataset.h"

namespace dpdl
{

/// Adds a least squares problem: bytes as features, a byte as target.
void AddLinearRegression(Registry<DatasetLoader>& registry);

} // namespace dpdl

#endif // DPDL_DATA_LINEAR_REGRESSION_H
