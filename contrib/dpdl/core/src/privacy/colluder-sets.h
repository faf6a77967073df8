// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_COLLUDER_SETS_H
#define DPDL_PRIVACY_COLLUDER_SETS_H

#include "dpdl/base/types.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Node numbers, ascending.
using NodeSet = std::vector<NodeId>;

/// The first set of @p size nodes: 0, 1, ...
NodeSet FirstSet(std::size_t size);

/// Advances to the next set of the same size in lexicographic order; false after the last one.
bool NextSet(NodeSet& set, std::size_t nodes);

/// Number of sets of @p size out of @p nodes nodes.
double CountSets(std::size_t size, std::size_t nodes);

/// Upper bound on the rounding error of an exposure, from the error of a Cholesky factorisation.
double ExposureSlack(std::size_t nodes);

/**
 * @brief (Sigma^-1)_ii of a visible node if all pairs of nodes share secrets.
 *
 * Sigma = (own^2 + honest pair^2) I - pair^2 11', by Sherman and Morrison.
 *
 * @param own standard deviation of a node's independent noise
 * @param pair standard deviation of the noise of a pair
 * @param honest number of nodes that keep their secrets
 * @param seen number of those with visible releases, at least 1
 */
double CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_COLLUDER_SETS_H
