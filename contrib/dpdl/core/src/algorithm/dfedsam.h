// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_DFEDSAM_H
#define DPDL_ALGORITHM_DFEDSAM_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters a private form of DFedSAM.
void AddDfedsam(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_DFEDSAM_H
