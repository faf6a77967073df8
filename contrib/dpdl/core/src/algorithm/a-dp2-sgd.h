// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_A_DP2_SGD_H
#define DPDL_ALGORITHM_A_DP2_SGD_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters a re-implementation of A(DP)2SGD in rounds.
void AddADp2Sgd(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_A_DP2_SGD_H
