// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_FED_AN_H
#define DPDL_ALGORITHM_FED_AN_H

#include "dpdl/algorithm/algorithms.h"

namespace dpdl
{

/// Enters a stand-in for FedAN, whose paper is not identified.
void AddFedAn(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_FED_AN_H
