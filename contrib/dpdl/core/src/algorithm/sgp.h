// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SGP_H
#define DPDL_ALGORITHM_SGP_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters stochastic gradient push, without any privacy.
void AddSgp(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_SGP_H
