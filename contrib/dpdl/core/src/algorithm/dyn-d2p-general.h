// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_DYN_D2P_GENERAL_H
#define DPDL_ALGORITHM_DYN_D2P_GENERAL_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters Dyn-D2P with arbitrary schedules.
void AddDynD2pGeneral(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_DYN_D2P_GENERAL_H
