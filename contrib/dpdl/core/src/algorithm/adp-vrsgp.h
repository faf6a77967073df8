// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ADP_VRSGP_H
#define DPDL_ALGORITHM_ADP_VRSGP_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters adp-vrsgp.
void AddAdpVrsgp(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_ADP_VRSGP_H
