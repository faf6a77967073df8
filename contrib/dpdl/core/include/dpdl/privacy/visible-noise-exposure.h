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
 * @brief Exposure of the releases of one round to the worst set of colluders, if some nodes do not
 *        release.
 *
 * A silent node keeps its secrets and still hides the others with them. With P = Sigma^-1 over all
 * honest nodes and K the silent ones among them, the inverse covariance of the visible noise has
 * the diagonal P_ii - P_iK (P_KK)^-1 P_Ki (Schur complement). P is computed once per set of
 * colluders. Complete secret graphs have a closed form.
 *
 * To the other nodes, a node that leaks is a colluder. The sets considered contain all leaking
 * nodes, filled up to the rule's number of colluders. Only its independent noise hides the release
 * of a leaking node.
 *
 * The result is an upper bound. With too many sets of colluders (more than 2^23 entries of all P,
 * or 1e10 operations) it is the planned exposure 1. If more nodes leak than the rule allows, it is
 * then the exposure of a node's independent noise. With too many silent nodes, some of them are
 * treated as visible.
 */
class VisibleNoiseExposure
{
  public:
    /**
     * @param noise by node; if all nodes release, no release is exposed more than by a noise of 1
     * @param rule rule of the noise, of which only `colluders` and `isComplete` are used, see
     *        FitPairNoise()
     */
    explicit VisibleNoiseExposure(std::vector<NodeNoise> noise, const PairNoiseRule& rule = {});

    /**
     * @brief Exposure (Sigma^-1)_ii of each node's release for the worst set of colluders without
     *        the node.
     * @param released by node: true if it released in the round
     * @param leaked nodes with known secrets, ascending
     * @return by node; 0 for silent nodes. Of the others at most 1 if no more nodes leak than the
     *         rule has colluders. For leaking nodes, and as a limit for all, 1 / the variance of
     *         the independent noise
     */
    std::vector<double> Of(const std::vector<bool>& released,
                           const std::vector<NodeId>& leaked = {}) const;

  private:
    /// Inverse covariance given one set of colluders.
    struct Rest
    {
        std::vector<NodeId> honest; ///< nodes that do not collude
        /// P, inverse covariance of the honest nodes' noise, [honest honest].
        std::vector<double> precision;
    };

    void OfComplete(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    void OfWorstSet(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    /// Upper bound on the exposure of a node if @p leaked nodes, by number, leak their secrets.
    double Most(NodeId node, std::size_t leaked) const;
    const std::vector<Rest>& RestsOf(const std::vector<NodeId>& leaked) const;
    std::vector<Rest> FindRests(const std::vector<NodeId>& leaked) const;

    std::vector<NodeNoise> m_noise; ///< noise of each node
    PairNoiseRule m_rule;           ///< `colluders` and `isComplete`, as in FitPairNoise()
    mutable std::mutex m_mutex;     ///< guards m_rests
    /// Cached results of FindRests(), by leaking nodes: one entry per set of colluders; none if
    /// there are too many sets.
    mutable std::map<std::vector<NodeId>, std::vector<Rest>> m_rests;
};

/// Node numbers, ascending.
using NodeSet = std::vector<NodeId>;

/// The first set of @p size nodes in lexicographic order: 0, 1, ..., size - 1.
NodeSet FirstSet(std::size_t size);

/// Of the nodes 0 .. nodes - 1, those that are not in @p set; ascending.
NodeSet OtherNodes(const NodeSet& set, std::size_t nodes);

/// Advances to the next set of the same size in lexicographic order; false after the last one.
bool NextSet(NodeSet& set, std::size_t nodes);

/// Number of sets of @p size of the @p nodes nodes: the binomial coefficient.
double CountSets(std::size_t size, std::size_t nodes);

/// Upper bound on the rounding error of an exposure among @p nodes nodes, from the error of a
/// Cholesky factorisation.
double ExposureSlack(std::size_t nodes);

/**
 * @brief Exposure (Sigma^-1)_ii of a visible node's release if every two nodes share a secret.
 *
 * Sigma = (own^2 + honest pair^2) I - pair^2 11', by Sherman and Morrison.
 *
 * @param own standard deviation of a node's independent noise
 * @param pair standard deviation of the noise of a pair
 * @param honest number of nodes that do not collude and keep their secrets
 * @param seen number of those with visible releases, at least 1
 */
double CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen);

} // namespace dpdl

#endif // DPDL_PRIVACY_VISIBLE_NOISE_EXPOSURE_H
