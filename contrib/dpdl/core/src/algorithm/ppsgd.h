// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PPSGD_H
#define DPDL_ALGORITHM_PPSGD_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters a re-implementation of PPSGD without its server.
void AddPpsgd(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PPSGD_H
