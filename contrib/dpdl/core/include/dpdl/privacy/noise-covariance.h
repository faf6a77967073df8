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

/// Two nodes that share a secret, the lower number first.
using SecretPair = std::pair<NodeId, NodeId>;

/**
 * @brief The noise of node i in DECOR (arXiv:2405.01031): u_i + sum over its pairs {i, j} of
 *        +-v_ij.
 * @param nodes number of nodes
 * @param pairs pairs of nodes that share a secret; each pair once
 * @param own standard deviation of u_i, the noise that only node i knows
 * @param pair standard deviation of v_ij, drawn from the secret of a pair; the first node of the
 *        pair adds it, the second subtracts it
 */
std::vector<NodeNoise> PairNoise(std::size_t nodes,
                                 const std::vector<SecretPair>& pairs,
                                 double own,
                                 double pair);

/// Requirements that FitPairNoise() meets.
struct PairNoiseRule
{
    /// Share of the noise of the mean that no single honest node could cancel.
    double kappa{0.5};
    std::size_t colluders{0}; ///< largest number of nodes that reveal their secrets
    bool isComplete{false};   ///< true: every two nodes share a secret, not only neighbours
};

/// Standard deviations of the two kinds of noise in PairNoise(), in units of the independent noise
/// that they replace.
struct PairNoiseScale
{
    double own{1.0};  ///< standard deviation of u, the noise of one node alone
    double pair{0.0}; ///< standard deviation of v, the noise that a pair shares
};

/**
 * @brief Smallest deviations that expose no release of an honest node more than independent noise
 *        of deviation 1 does, for every set of colluders.
 *
 * own^2 is (1 + kappa) / m with m the smallest number of honest nodes that hide each other. pair^2
 * is the smallest value with (Sigma^-1)_ii <= 1 for all nodes and all sets of colluders. All sets
 * are examined if that takes at most 2e10 operations. Otherwise l_2(G - v) >= l_2(G) - 1 bounds the
 * spectrum of the remaining secret graph (Fiedler, 1973).
 *
 * @param nodes number of nodes
 * @param pairs the secret graph, connected
 * @param rule kappa, number of colluders, and completeness of the secret graph
 * @throws UsageError if colluders could know all secrets of a node, or if there are too many sets
 */
PairNoiseScale FitPairNoise(std::size_t nodes,
                            const std::vector<SecretPair>& pairs,
                            const PairNoiseRule& rule);

/**
 * @brief The covariance over nodes with the least noise after mixing: it minimises tr(H Sigma)
 *        subject to (Sigma^-1)_ii <= 1 (CorN-DSGD, arXiv:2501.14644).
 *
 * The Karush-Kuhn-Tucker conditions give Sigma^-1 = H^1/2 (H^1/2 D H^1/2)^-1/2 H^1/2 with a
 * diagonal D. The iteration over D stops once primal and dual value agree to a relative 1e-10.
 *
 * @param gram H, the weights of the noise after mixing; symmetric positive definite, [n n],
 *        row-major
 * @param nodes number of nodes n
 * @return rows of a lower triangular root of Sigma: node i shares the streams 0..i
 * @throws Error if the iteration does not converge
 */
std::vector<NodeNoise> OptimalNoise(const std::vector<double>& gram, std::size_t nodes);

/**
 * @brief Covariance Sigma of the noise of some nodes, given the streams that colluders know.
 *
 * To an adversary that sees the releases of these nodes, a change h of the sum of node i moves the
 * view by |h| sqrt((Sigma^-1)_ii) standard deviations: the exposure of the release.
 * @param noise noise of all nodes, by node
 * @param colluders nodes that reveal every stream that they share
 * @param seen nodes of the rows and columns of Sigma, in this order; none of them colludes
 */
SymmetricMatrix SeenCovariance(const std::vector<NodeNoise>& noise,
                               const std::vector<NodeId>& colluders,
                               const std::vector<NodeId>& seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_NOISE_COVARIANCE_H
