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
 * @brief The noise of DECOR (arXiv:2405.01031): u_i + sum over pairs {i, j} of +-v_ij.
 * @param nodes number of nodes
 * @param pairs who shares a secret; each pair once
 * @param own deviation of u
 * @param pair deviation of v; the lower number adds v, the other one subtracts it
 */
std::vector<NodeNoise> PairNoise(std::size_t nodes,
                                 const std::vector<SecretPair>& pairs,
                                 double own,
                                 double pair);

/**
 * @brief Exposure of each release of a round to an adversary who sees all of them.
 *
 * With Sigma the covariance of the noises of the nodes that released and are honest, without the
 * streams that colluders know, a change h of the sum of node i moves what the adversary sees by
 * |h| sqrt((Sigma^-1)_ii) standard deviations.
 *
 * @param noise by node, each with a weight `own` above 0 or a stream that no other row spans
 * @param colluders nodes that give away the streams of their rows
 * @param silent nodes that released nothing: their rows are not seen, their streams stay secret
 * @return (Sigma^-1)_ii by node; 0 for colluders and silent nodes
 * @throws Error if the covariance is singular
 */
std::vector<double> Exposure(const std::vector<NodeNoise>& noise,
                             const std::vector<NodeId>& colluders,
                             const std::vector<NodeId>& silent = {});

/// Requirements of pair noise.
struct PairNoiseRule
{
    double kappa{0.5};        ///< share of the noise of the mean that no honest node could cancel
    std::size_t colluders{0}; ///< nodes that may give their secrets away, whichever they are
    bool isComplete{false};   ///< every pair shares a secret, not only neighbours
};

/// Deviations of the two kinds of noise, in units of what hides a release as a noise of 1 would.
struct PairNoiseScale
{
    double own{1.0};  ///< of u
    double pair{0.0}; ///< of v
};

/**
 * @brief The deviations with which no release of an honest node is exposed more than by independent
 *        noise of deviation 1, for every set of colluders.
 *
 * own^2 is (1 + kappa) / m with m the smallest number of honest nodes that hide each other. pair^2
 * is the least with which (Sigma^-1)_ii <= 1 for all nodes and all sets of colluders. All sets are
 * examined where that takes at most 2e10 operations. Beyond, l_2(G - v) >= l_2(G) - 1 bounds the
 * spectrum of what remains of the secret graph (Fiedler, 1973).
 *
 * @param nodes number of nodes
 * @param pairs the secret graph, connected
 * @param rule what is asked for
 * @throws UsageError if colluders could know all secrets of a node, or their sets are too many
 */
PairNoiseScale FitPairNoise(std::size_t nodes,
                            const std::vector<SecretPair>& pairs,
                            const PairNoiseRule& rule);

/**
 * @brief The covariance over nodes with the least noise in what is mixed: it minimises
 *        tr(H Sigma) subject to (Sigma^-1)_ii <= 1 (CorN-DSGD, arXiv:2501.14644).
 *
 * By the conditions of Karush, Kuhn and Tucker Sigma^-1 = H^1/2 (H^1/2 D H^1/2)^-1/2 H^1/2 with a
 * diagonal D, which is iterated until primal and dual value agree to a relative 1e-10.
 *
 * @param gram H, symmetric positive definite, [n n]
 * @param nodes n
 * @return rows of a lower triangular root of Sigma: node i shares the streams 0..i
 * @throws Error if the iteration does not converge
 */
std::vector<NodeNoise> OptimalNoise(const std::vector<double>& gram, std::size_t nodes);

/**
 * @brief The covariance of noises without the streams that colluders know.
 * @param noise by node
 * @param colluders nodes that give away the streams of their rows
 * @param seen whose noises, in the order of the rows; no colluders
 */
SymmetricMatrix SeenCovariance(const std::vector<NodeNoise>& noise,
                               const std::vector<NodeId>& colluders,
                               const std::vector<NodeId>& seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_NOISE_COVARIANCE_H
