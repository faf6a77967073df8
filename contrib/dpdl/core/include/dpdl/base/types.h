// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_TYPES_H
#define DPDL_BASE_TYPES_H

#include <cstdint>

namespace dpdl
{

/// Index of a node, 0..n-1; the same in every table of a trace and in every graph.
using NodeId = std::uint32_t;

/// Index of a round, from 0. Round k computes its gradient at z^k and produces z^{k+1}.
using Round = std::uint32_t;

} // namespace dpdl

#endif // DPDL_BASE_TYPES_H
