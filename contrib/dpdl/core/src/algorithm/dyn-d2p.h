// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_DYN_D2P_H
#define DPDL_ALGORITHM_DYN_D2P_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters Dyn-D2P and the three algorithms that its paper compares it with.
void AddDynD2p(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_DYN_D2P_H
