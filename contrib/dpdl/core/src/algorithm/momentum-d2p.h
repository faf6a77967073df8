// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_MOMENTUM_D2P_H
#define DPDL_ALGORITHM_MOMENTUM_D2P_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters private gradient push with momentum, the example of doc/adding-a-mechanism.md.
void AddMomentumD2p(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_MOMENTUM_D2P_H
