// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_LIE_H
#define DPDL_BASE_LIE_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// Kind of attack of a Byzantine node, on its messages or its training.
enum class LieKind
{
    NONE,      ///< honest node
    SIGN_FLIP, ///< sends -z in place of its model z (Li et al., AAAI 2019: RSA, with magnitude 1)
    /// Trains on label C - 1 - y in place of y, with C classes; its messages are honest.
    LABEL_FLIP,
    NOISE, ///< sends Gaussian noise in place of its model, independent of the data
    STALE, ///< sends in every round the model that it had in the first round of the attack
    ZERO,  ///< sends zeros in place of its model
};

/**
 * @brief A Byzantine attack: a node sends wrong parameters in well-formed messages, or trains on
 *        wrong labels.
 *
 * Attacks change neither the push-sum mass in a message nor the mass that the node keeps.
 */
struct Lie
{
    LieKind kind{LieKind::NONE}; ///< kind of attack
    double scale{0.0};           ///< NOISE: standard deviation of each parameter, > 0

    /// True if the attack replaces the parameters in the messages (push-sum shares) of the node.
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

/// Registry of all attacks, by their names in failure events.
const Registry<LieKind>& Lies();

} // namespace dpdl

#endif // DPDL_BASE_LIE_H
