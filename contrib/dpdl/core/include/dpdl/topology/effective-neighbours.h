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
    /// Effective number of neighbours; in [1, n] if rows and columns of the mixing matrices sum to
    /// 1.
    double value;
    double error; ///< standard error of the value; 0: computed, relative error 1e-9
};

/**
 * @brief The effective number of neighbours of a topology (Vogels, Hendrikx and Jaggi, Beyond
 *        spectral gap: the role of the topology in decentralized learning, JMLR 24, 2023).
 *
 * Every node adds noise xi of variance 1 to its model z in every round, and z^2 decays by the
 * factor gamma: z^{k+1} = R_k (sqrt(gamma) z^k + xi^k), where row i of R_k contains the weights
 * with which node i mixes if no message is lost. The effective number is the stationary mean
 * variance of z without averaging, 1 / (1 - gamma), divided by that with averaging. Exact averaging
 * in groups of this size would reduce the variance equally. It is 1 on `none`, n on `complete`, and
 *
 *     (1 / (1 - gamma)) / (1/n sum_i |l_i|^2 / (1 - gamma |l_i|^2))
 *
 * for a static normal mixing matrix with eigenvalues l_i. It depends on all eigenvalues, while the
 * contraction factor q depends on the second largest only.
 *
 * Small graphs: the covariance matrix of all z is iterated, at a cost of n times the edges of 22 /
 * (1 - gamma) rounds and one period. Larger graphs: z is simulated 32 times with random noise, at a
 * cost of 32 times the edges of 11 / (1 - gamma) rounds and of the longer of one period and 11 / (1
 * - gamma) rounds.
 *
 * @param graph a topology whose graphs are known before the run
 * @param gamma decay factor of z^2 per round, in [0, 1)
 * @param mostDense largest number of nodes for which the n x n covariance matrix is built; it is
 *        not built if it needs more than 5e9 multiplications
 * @throws UsageError if the graphs depend on the run (GraphSequence::FollowsRun())
 */
EffectiveNeighbours MeasureEffectiveNeighbours(
    const GraphSequence& graph,
    double gamma,
    std::size_t mostDense = ContractionTracker::MOST_DENSE);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_EFFECTIVE_NEIGHBOURS_H
