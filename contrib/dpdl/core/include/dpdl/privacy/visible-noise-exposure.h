// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_VISIBLE_NOISE_EXPOSURE_H
#define DPDL_PRIVACY_VISIBLE_NOISE_EXPOSURE_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/noise-covariance.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace dpdl
{

/**
 * @brief Computes the exposure (Sigma^-1)_ii of each release of one round: the largest over all
 *        sets of colluders. Some nodes may be silent (make no release). Sigma is the covariance of
 *        the noise in the visible releases.
 *
 * If a node's gradient sum changes by h, the visible releases together move by |h| sqrt(exposure)
 * standard deviations. An exposure of 1 is that of independent noise of standard deviation 1.
 *
 * The secrets of a silent node still hide the releases of the nodes that share them. Let P be the
 * inverse covariance of the noise of all honest nodes, and K the silent honest nodes. The inverse
 * covariance of the visible noise has the diagonal P_ii - P_iK (P_KK)^-1 P_Ki (Schur complement). P
 * is computed once per set of colluders. Complete secret graphs have a closed form.
 *
 * A node leaks if its secrets are known. A leaking node counts as a colluder for all other nodes.
 * Every considered set of colluders contains all leaking nodes, and further nodes up to
 * PairNoiseRule::colluders nodes in total. Only its independent noise hides the release of a
 * leaking node.
 *
 * The result is an upper bound. If there are too many sets of colluders (more than 2^23 entries of
 * all P together, or 1e10 operations), the result is 1, the exposure for which the noise was
 * planned. If, in addition, more nodes leak than PairNoiseRule::colluders, the result is 1 /
 * (variance of the node's independent noise). If there are too many silent nodes (more than 1e8
 * operations), some of them are treated as visible.
 */
class VisibleNoiseExposure
{
  public:
    /**
     * @param noise noise by node. If all nodes release, the exposure of every release must be at
     *        most 1
     * @param rule rule by which FitPairNoise() planned the noise; kappa is ignored
     */
    explicit VisibleNoiseExposure(std::vector<NodeNoise> noise, const PairNoiseRule& rule = {});

    /**
     * @brief Exposure (Sigma^-1)_ii of each node's release: the largest over the sets of colluders
     *        that do not contain the node.
     * @param released by node: true if the node made a release in the round, [n]
     * @param leaked nodes whose secrets are known to the observer, ascending
     * @return [n] exposure of each node's release. The exposure is 0 for silent nodes, and 1 / the
     *         variance of the independent noise for leaking nodes. For the other nodes it is at
     *         most 1 if at most PairNoiseRule::colluders nodes leak, and otherwise at most 1 / that
     *         variance.
     */
    std::vector<double> Of(const std::vector<bool>& released,
                           const std::vector<NodeId>& leaked = {}) const;

  private:
    /// Inverse covariance of the honest nodes' noise, for one set of colluders.
    struct Rest
    {
        std::vector<NodeId> honest; ///< nodes that do not collude
        /// P: inverse covariance of the honest nodes' noise, [honest, honest].
        std::vector<double> precision;
        double slack{1.0}; ///< ExposureSlack() for the covariance of the honest nodes
    };

    void OfComplete(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    void OfWorstSet(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    /// Upper bound on the exposure of the release of @p node if @p leaked nodes leak.
    double Most(NodeId node, std::size_t leaked) const;
    const std::vector<Rest>& RestsOf(const std::vector<NodeId>& leaked) const;
    std::vector<Rest> FindRests(const std::vector<NodeId>& leaked) const;

    std::vector<NodeNoise> m_noise; ///< noise of each node, by node
    PairNoiseRule m_rule;           ///< `colluders` and `isComplete`, as for FitPairNoise()
    mutable std::mutex m_mutex;     ///< guards m_rests
    /// Cached results of FindRests(); key: leaking nodes. A value has one entry per set of
    /// colluders, and is empty if there are too many sets.
    mutable std::map<std::vector<NodeId>, std::vector<Rest>> m_rests;
};

/// Node ids, ascending.
using NodeSet = std::vector<NodeId>;

/// First set of @p size nodes in lexicographic order: 0, 1, ..., size - 1.
NodeSet FirstSet(std::size_t size);

/// Complement of @p set in the nodes 0 .. nodes - 1, ascending.
NodeSet OtherNodes(const NodeSet& set, std::size_t nodes);

/// Replaces @p set by the next set of the same size in lexicographic order. Returns false after the
/// last set.
bool NextSet(NodeSet& set, std::size_t nodes);

/// Number of sets with @p size of @p nodes nodes: the binomial coefficient.
double CountSets(std::size_t size, std::size_t nodes);

/// Factor above 1 by which a computed exposure is multiplied to cover its rounding error, from the
/// error bound of a Cholesky factorisation.
/// @param nodes number of rows of the factorised matrix
/// @param condition condition number of the matrix; values below 1e4 count as 1e4
double ExposureSlack(std::size_t nodes, double condition = 1.0);

/**
 * @brief Exposure (Sigma^-1)_ii of a visible node's release if every two nodes share a secret.
 *
 * The covariance of the visible noise is Sigma = (own^2 + honest pair^2) I - pair^2 11'; the
 * formula of Sherman and Morrison inverts it.
 *
 * @param own standard deviation of a node's independent noise
 * @param pair standard deviation of the noise of a pair
 * @param honest number of nodes that neither collude nor leak
 * @param seen number of honest nodes with visible releases, at least 1
 */
double CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_VISIBLE_NOISE_EXPOSURE_H
