// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COLLUDER_SETS_H
#define DPDL_PRIVACY_COLLUDER_SETS_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Nodes, in ascending order.
using NodeSet = std::vector<NodeId>;

/// The first set of @p size nodes: 0, 1, ...
NodeSet FirstSet(std::size_t size);

/// The next set of as many of the @p nodes, in lexicographic order; false behind the last.
bool NextSet(NodeSet& set, std::size_t nodes);

/// Number of sets of @p size of the @p nodes.
double CountSets(std::size_t size, std::size_t nodes);

/// Upper bound on the rounding error of an exposure, from that of a Cholesky factorisation.
double ExposureSlack(std::size_t nodes);

/**
 * @brief (Sigma^-1)_ii of any node that is seen, where all pairs of nodes share secrets.
 *
 * Sigma = (own^2 + honest pair^2) I - pair^2 11', by Sherman and Morrison.
 *
 * @param own deviation of a node's own noise
 * @param pair deviation of the noise of a pair
 * @param honest nodes that keep their secrets
 * @param seen those of them whose releases are seen, at least 1
 */
double CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_COLLUDER_SETS_H
