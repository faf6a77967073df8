// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
#define DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H

#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>

namespace dpdl
{

/// By how much the averaging of a topology lowers the noise of gradients at a node.
struct EffectiveNeighbours
{
    double value; ///< in [1, n] where rows and columns of the mixing matrices sum to 1
    double error; ///< its standard error; 0: it is computed to 1e-9
};

/**
 * @brief The effective number of neighbours of a topology (Vogels, Hendrikx and Jaggi, Beyond
 *        spectral gap: the role of the topology in decentralized learning, JMLR 24, 2023).
 *
 * Every node adds noise xi of variance 1 to its z in every round, and z fades:
 * z^{k+1} = R_k (sqrt(gamma) z^k + xi^k), where row i of R_k are the parts of what node i mixes in
 * a round without loss. The number is the mean variance of the nodes' z in the long run without any
 * averaging, 1 / (1 - gamma), over that with it: as if each node averaged over so many that nobody
 * else averages over. It is 1 on `none`, n on `complete`, and in between
 *
 *     (1 / (1 - gamma)) / (1/n sum_i |l_i|^2 / (1 - gamma |l_i|^2))
 *
 * for a static normal matrix of eigenvalues l_i. Unlike q it does not follow the slowest mode
 * alone.
 *
 * Up to some number of nodes the covariance of all z is carried along: time of n times the edges of
 * 22 / (1 - gamma) rounds and a period. With more nodes, 32 random walks are: time of 32 times the
 * edges of 22 / (1 - gamma) rounds, or of a period if that is longer.
 *
 * @param graph a topology that does not follow the run
 * @param gamma how much of z^2 is left after a round, [0, 1)
 * @param mostDense nodes up to which the matrix of all pairs is made, if there are not too many
 * edges
 * @throws UsageError if the topology follows the run
 */
EffectiveNeighbours MeasureEffectiveNeighbours(
    const GraphSequence& graph,
    double gamma,
    std::size_t mostDense = ContractionTracker::MOST_DENSE);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
