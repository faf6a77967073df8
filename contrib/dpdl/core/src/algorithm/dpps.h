// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_DPPS_H
#define DPDL_ALGORITHM_DPPS_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// dpps, partpsp-1, partpsp-2, sgpdp and pedfl (Zhou, Xue and Chen, arXiv:2602.11544).
void AddDpps(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_DPPS_H
