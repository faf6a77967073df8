// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_LIE_H
#define DPDL_BASE_LIE_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// Attack of a Byzantine node on its messages or its training.
enum class LieKind
{
    NONE,       ///< honest node
    SIGN_FLIP,  ///< sends -z (Li et al., AAAI 2019: RSA, with magnitude 1)
    LABEL_FLIP, ///< trains on label C - 1 - y in place of y, with C classes, and sends the model
    NOISE,      ///< sends Gaussian noise of a given scale, independent of the data
    STALE,      ///< repeatedly sends the model of the first round of the attack
    ZERO,       ///< sends zeros
};

/**
 * @brief A Byzantine attack: wrong parameters in a well-formed share.
 *
 * The push-sum mass in the share and the mass that the node keeps stay correct.
 */
struct Lie
{
    LieKind kind{LieKind::NONE}; ///< kind of attack
    double scale{0.0};           ///< NOISE: standard deviation of each parameter, > 0

    /// True if the sent parameters differ from the node's model.
    bool ChangesShares() const
    {
        return kind != LieKind::NONE && kind != LieKind::LABEL_FLIP;
    }

    /// True if kind and scale are equal.
    bool operator==(const Lie& other) const
    {
        return kind == other.kind && scale == other.scale;
    }
};

/// All attacks, by their names in the failure language.
const Registry<LieKind>& Lies();

} // namespace dpdl

#endif // DPDL_BASE_LIE_H
