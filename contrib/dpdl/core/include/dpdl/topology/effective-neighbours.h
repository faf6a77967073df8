// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
#define DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H

#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/graph-sequence.h"

#include <cstddef>

namespace dpdl
{

/// Effect of averaging over a topology on the variance of a node's gradient noise.
struct EffectiveNeighbours
{
    /// Effective number of neighbours: the factor by which averaging reduces the variance. In [1,
    /// n] if the mixing matrices are doubly stochastic.
    double value;
    /// Standard error of `value` if z was simulated. 0: z was not simulated, and the relative error
    /// of `value` is about 1e-9.
    double error;
};

/**
 * @brief Computes the effective number of neighbours of a topology (Vogels, Hendrikx and Jaggi,
 *        Beyond spectral gap: the role of the topology in decentralized learning, JMLR 24, 2023).
 *
 * Every node adds noise xi of variance 1 to its model z in every round, and z^2 decays by the
 * factor gamma: z^{k+1} = R_k (sqrt(gamma) z^k + xi^k), where row i of R_k contains the weights
 * with which node i mixes if no message is lost. The effective number is the stationary mean
 * variance of z without averaging, 1 / (1 - gamma), divided by the variance with averaging. Exact
 * averaging in groups of this size would reduce the variance equally. The effective number is 1 on
 * topology `none`, n on `complete`, and
 *
 *     (1 / (1 - gamma)) / (1/n sum_i |l_i|^2 / (1 - gamma |l_i|^2))
 *
 * for a static normal mixing matrix with eigenvalues l_i. The effective number depends on all
 * eigenvalues. The contraction factor q depends on the second largest eigenvalue only.
 *
 * For small graphs, the covariance matrix of all z is iterated. The cost is n times the edges of
 * 22 / (1 - gamma) rounds and one period. For larger graphs, z is simulated 32 times with random
 * noise. With T = 11 / (1 - gamma), the cost is 32 times the edges of T rounds and of
 * max(T, period) rounds.
 *
 * @param graph topology whose graphs are known before the run
 * @param gamma decay factor of z^2 per round, in [0, 1)
 * @param mostDense largest number of nodes for which the n x n covariance matrix is built. The
 *        matrix is also not built if this needs more than 5e9 multiplications
 * @throws UsageError if the graphs depend on the run (GraphSequence::FollowsRun())
 */
EffectiveNeighbours MeasureEffectiveNeighbours(
    const GraphSequence& graph,
    double gamma,
    std::size_t mostDense = ContractionTracker::MOST_DENSE);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
