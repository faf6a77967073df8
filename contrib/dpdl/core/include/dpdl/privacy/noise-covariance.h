// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_NOISE_COVARIANCE_H
#define DPDL_PRIVACY_NOISE_COVARIANCE_H

#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/symmetric-matrix.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace dpdl
{

/// Two nodes that share a secret, in ascending order.
using SecretPair = std::pair<NodeId, NodeId>;

/**
 * @brief Makes the noise of DECOR (arXiv:2405.01031): node i adds u_i plus the sum of +-v_ij over
 *        its pairs {i, j}.
 * @param nodes number of nodes
 * @param pairs pairs of nodes that share a secret; each pair once
 * @param own standard deviation of u_i, the noise that only node i knows
 * @param pair standard deviation of v_ij, drawn from the secret of a pair; the first node of the
 *        pair adds it, the second subtracts it
 * @return [nodes] noise of each node; shared noise stream k is that of pairs[k]
 */
std::vector<NodeNoise> PairNoise(std::size_t nodes,
                                 const std::vector<SecretPair>& pairs,
                                 double own,
                                 double pair);

/// Conditions for the noise scales that FitPairNoise() computes.
struct PairNoiseRule
{
    /// Fraction, > 0, by which the variance of the independent noise exceeds its lower bound 1 / m.
    /// m is the smallest number of nodes in a connected component of the secret graph without the
    /// colluders, over all sets of colluders.
    double kappa{0.5};
    /// Largest number of nodes that collude with the observer and reveal their secrets.
    std::size_t colluders{0};
    bool isComplete{false}; ///< true: every two nodes share a secret; false: only neighbours do
};

/// Standard deviations of the two kinds of noise in PairNoise(). The unit is the standard deviation
/// of independent noise with the same protection.
struct PairNoiseScale
{
    double own{1.0};  ///< standard deviation of u_i, the noise of one node
    double pair{0.0}; ///< standard deviation of v_ij, the noise of a pair of nodes
};

/**
 * @brief Computes the smallest standard deviations of PairNoise() with a given protection. For
 *        every set of colluders, every release of an honest node is protected at least as well as
 *        by independent noise of standard deviation 1.
 *
 * own^2 is (1 + kappa) / m, with m as in PairNoiseRule::kappa. Let Sigma be the covariance of the
 * honest nodes' noise. pair^2 is the smallest value for which (Sigma^-1)_ii <= 1 for all nodes i
 * and all sets of colluders.
 *
 * All sets are examined if that takes at most 2e10 operations. If it takes more, the function
 * bounds l_2, the second smallest eigenvalue of the Laplacian of the secret graph G, from below.
 * Removing a node v lowers l_2 by at most 1: l_2(G - v) >= l_2(G) - 1 (Fiedler, 1973).
 *
 * @param nodes number of nodes
 * @param pairs edges of the secret graph, which is connected
 * @param rule kappa, number of colluders, and completeness of the secret graph
 * @return the two standard deviations
 * @throws UsageError if a node shares no secret, if the colluders could know all secrets of a node,
 *        or if kappa is too small for double precision. It is also thrown if there are too many
 *        sets to examine and the bound on l_2 is not above 0, because no scale can be proven then
 */
PairNoiseScale FitPairNoise(std::size_t nodes,
                            const std::vector<SecretPair>& pairs,
                            const PairNoiseRule& rule);

/**
 * @brief Computes the covariance Sigma of the nodes' noise that minimises the noise variance after
 *        mixing, tr(H Sigma). The constraint is (Sigma^-1)_ii <= 1 for all nodes i (CorN-DSGD,
 *        arXiv:2501.14644).
 *
 * The Karush-Kuhn-Tucker conditions give Sigma^-1 = H^1/2 (H^1/2 D H^1/2)^-1/2 H^1/2 with a
 * diagonal D. The iteration over D stops once the primal and the dual value agree to a relative
 * error of 1e-10.
 *
 * @param gram H, for example WindowGram(); symmetric positive definite, [n, n], row-major
 * @param nodes number of nodes n
 * @return rows of the lower triangular Cholesky factor of Sigma: node i adds noise from the shared
 *         streams 0..i
 * @throws Error if the iteration does not converge
 */
std::vector<NodeNoise> OptimalNoise(const std::vector<double>& gram, std::size_t nodes);

/**
 * @brief Covariance Sigma of the noise in the releases of the nodes @p seen, for an observer that
 *        knows the noise streams of the colluders.
 *
 * (Sigma^-1)_ii is the exposure of node i's release. If the gradient sum of node i changes by h,
 * the observed releases together move by |h| sqrt((Sigma^-1)_ii) standard deviations.
 * @param noise noise of each node, [n]
 * @param colluders nodes that reveal all their noise streams
 * @param seen nodes with visible releases, without colluders, in the order of the rows and columns
 *        of Sigma
 */
SymmetricMatrix SeenCovariance(const std::vector<NodeNoise>& noise,
                               const std::vector<NodeId>& colluders,
                               const std::vector<NodeId>& seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_NOISE_COVARIANCE_H
