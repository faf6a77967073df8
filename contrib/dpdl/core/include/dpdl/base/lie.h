// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_LIE_H
#define DPDL_BASE_LIE_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// What a node that is not honest sends, or learns from.
enum class LieKind
{
    NONE,       ///< it is honest
    SIGN_FLIP,  ///< sends -z (Li et al., AAAI 2019: RSA, with magnitude 1)
    LABEL_FLIP, ///< learns from labels C - 1 - y, and sends what it has learnt
    NOISE,      ///< sends Gaussian noise of a stated scale, which depends on no data
    STALE,      ///< sends the model of the first round in which it lies, again and again
    ZERO,       ///< sends zeros
};

/**
 * @brief A lie of a node: wrong parameters in a share that looks right.
 *
 * The mass that the share carries is right, and so is what the node keeps for itself.
 */
struct Lie
{
    LieKind kind{LieKind::NONE}; ///< which
    double scale{0.0};           ///< NOISE: standard deviation of each parameter, > 0

    /// True if what is sent differs from the node's model.
    bool ChangesShares() const
    {
        return kind != LieKind::NONE && kind != LieKind::LABEL_FLIP;
    }

    /// True if both are the same.
    bool operator==(const Lie& other) const
    {
        return kind == other.kind && scale == other.scale;
    }
};

/// All lies, by the names that the failure language uses.
const Registry<LieKind>& Lies();

} // namespace dpdl

#endif // DPDL_BASE_LIE_H
