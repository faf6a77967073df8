// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ADA_D2P_H
#define DPDL_ALGORITHM_ADA_D2P_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters AdaD2P and the two algorithms with fixed noise that its paper compares it with.
void AddAdaD2p(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_ADA_D2P_H
