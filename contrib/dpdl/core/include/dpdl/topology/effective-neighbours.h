// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
#define DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H

#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>

namespace dpdl
{

/// Factor by which averaging over a topology lowers the variance of a node's gradient noise.
struct EffectiveNeighbours
{
    /// Effective number; in [1, n] if rows and columns of the mixing matrices sum to 1.
    double value;
    double error; ///< standard error of the value; 0: the value is computed to 1e-9
};

/**
 * @brief The effective number of neighbours of a topology (Vogels, Hendrikx and Jaggi, Beyond
 *        spectral gap: the role of the topology in decentralized learning, JMLR 24, 2023).
 *
 * Every node adds noise xi of variance 1 to its z in every round, and z decays:
 * z^{k+1} = R_k (sqrt(gamma) z^k + xi^k), where row i of R_k contains the weights with which node i
 * mixes in a round without loss. The number is the stationary mean variance of z without averaging,
 * 1 / (1 - gamma), divided by that with averaging. Groups of this size that average exactly would
 * reduce the variance equally. It is 1 on `none`, n on `complete`, and otherwise
 *
 *     (1 / (1 - gamma)) / (1/n sum_i |l_i|^2 / (1 - gamma |l_i|^2))
 *
 * for a static normal matrix with eigenvalues l_i. Unlike q it does not depend only on the slowest
 * mode.
 *
 * Up to a number of nodes it iterates the covariance of all z, in time n times the edges of
 * 22 / (1 - gamma) rounds and a period. With more nodes it simulates 32 random walks, in time 32
 * times the edges of 22 / (1 - gamma) rounds, or of a period if that is longer.
 *
 * @param graph a topology that does not follow the run
 * @param gamma decay factor of z^2 per round, [0, 1)
 * @param mostDense maximum nodes for which the n x n matrix is built, if there are not too many
 * edges
 * @throws UsageError if the topology follows the run
 */
EffectiveNeighbours MeasureEffectiveNeighbours(
    const GraphSequence& graph,
    double gamma,
    std::size_t mostDense = ContractionTracker::MOST_DENSE);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
