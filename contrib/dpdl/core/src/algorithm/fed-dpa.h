// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_FED_DPA_H
#define DPDL_ALGORITHM_FED_DPA_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters a re-implementation of FedDPA without its server.
void AddFedDpa(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_FED_DPA_H
