// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SENT_EXPOSURE_H
#define DPDL_PRIVACY_SENT_EXPOSURE_H

#include "dpdl/privacy/noise-covariance.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace dpdl
{

/**
 * @brief Exposure to the worst set of colluders of the releases of a round that
 *        were really made.
 *
 * A node that releases nothing keeps its secrets, and hides the others with them. With P = Sigma^-1
 * of all honest nodes and K those of them that are silent, the inverse covariance of what is seen
 * has the diagonal P_ii - P_iK (P_KK)^-1 P_Ki (Schur complement). P is found once for each set of
 * colluders. Complete secret graphs have a closed form.
 *
 * Nodes that leak are colluders as far as the others go: the sets are those that hold all of them,
 * and as many others as are left of the rule's number. The release of a node that leaks is hidden
 * by its own noise alone.
 *
 * The result is an upper bound. Where the sets of colluders are too many (more than 2^23 entries of
 * all P, or 1e10 operations), it is the planned exposure 1, or that of a node's own noise if more
 * nodes leak than the rule allows for. Where too many nodes are silent, some of them are treated as
 * seen.
 */
class SentExposure
{
  public:
    /**
     * @param noise by node, with which no release is exposed more than by a noise of 1 when all
     *        nodes release
     * @param rule its `colluders` and `isComplete`, as in FitPairNoise()
     */
    explicit SentExposure(std::vector<NodeNoise> noise, const PairNoiseRule& rule = {});

    /**
     * @brief (Sigma^-1)_ii for the worst set of colluders without the node itself.
     * @param released by node, who released in the round
     * @param leaked whose secrets are known, in ascending order
     * @return by node, 0 of silent nodes. Of the others at most 1 if no more nodes leak than the
     *         rule has colluders; 1 of all if none leaks and all released. Of those that leak, and
     *         at most of any, 1 / the variance of its own noise
     */
    std::vector<double> Of(const std::vector<bool>& released,
                           const std::vector<NodeId>& leaked = {}) const;

  private:
    /// Inverse covariance left by one set of colluders.
    struct Rest
    {
        std::vector<NodeId> honest;    ///< the other nodes
        std::vector<double> precision; ///< P, [honest honest]
    };

    void OfComplete(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    void OfWorstSet(const std::vector<bool>& seen,
                    const std::vector<NodeId>& leaked,
                    std::vector<double>& exposure) const;
    /// Upper bound on the exposure of a node if @p leaked nodes leak.
    double Most(NodeId node, std::size_t leaked) const;
    const std::vector<Rest>& RestsOf(const std::vector<NodeId>& leaked) const;
    std::vector<Rest> FindRests(const std::vector<NodeId>& leaked) const;

    std::vector<NodeNoise> m_noise; ///< by node
    PairNoiseRule m_rule;           ///< see the constructor
    mutable std::mutex m_mutex;     ///< guards m_rests
    /// By nodes that leak, and by set of colluders; empty: they are too many.
    mutable std::map<std::vector<NodeId>, std::vector<Rest>> m_rests;
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SENT_EXPOSURE_H
