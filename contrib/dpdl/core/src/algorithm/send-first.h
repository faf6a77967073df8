// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SEND_FIRST_H
#define DPDL_ALGORITHM_SEND_FIRST_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters overlap-sgp and d-psgd, whose messages travel while the nodes compute.
void AddSendFirst(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_SEND_FIRST_H
