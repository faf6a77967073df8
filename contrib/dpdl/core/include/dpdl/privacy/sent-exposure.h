// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SENT_EXPOSURE_H
#define DPDL_PRIVACY_SENT_EXPOSURE_H

#include "dpdl/privacy/noise-covariance.h"

#include <cstddef>
#include <mutex>
#include <vector>

namespace dpdl
{

/**
 * @brief What an adversary with the worst set of colluders learns of the releases of a round that
 *        were really made.
 *
 * A node that releases nothing keeps its secrets, and hides the others with them. With P = Sigma^-1
 * of all honest nodes and K those of them that are silent, the inverse covariance of what is seen
 * has the diagonal P_ii - P_iK (P_KK)^-1 P_Ki (Schur complement). P is found once for each set of
 * colluders. Complete secret graphs have a closed form.
 *
 * The result is an upper bound. Where the sets of colluders are too many (more than 2^23 entries of
 * all P, or 1e10 operations), it is the planned exposure 1. Where too many nodes are silent, some
 * of them are treated as seen.
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
     * @return by node, in [0, 1]: 1 if all nodes released, 0 of silent nodes
     */
    std::vector<double> Of(const std::vector<bool>& released) const;

  private:
    /// What one set of colluders leaves.
    struct Rest
    {
        std::vector<NodeId> honest;    ///< the other nodes
        std::vector<double> precision; ///< P, [honest honest]
    };

    double OfComplete(std::size_t made) const;
    void FindRests() const;
    void Raise(const Rest& rest,
               const std::vector<bool>& released,
               std::vector<double>& exposure) const;

    std::vector<NodeNoise> m_noise;    ///< by node
    PairNoiseRule m_rule;              ///< see the constructor
    mutable std::once_flag m_once;     ///< guards m_rests
    mutable std::vector<Rest> m_rests; ///< by set of colluders; empty: they are too many
};

} // namespace dpdl

#endif // DPDL_PRIVACY_SENT_EXPOSURE_H
