// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_DOMINATING_PAIRS_H
#define DPDL_PRIVACY_DOMINATING_PAIRS_H

#include "dominating-pair.h"
#include "dpdl/privacy/privacy-step.h"

#include <memory>
#include <string>

namespace dpdl
{

/// Dominating pairs of a step, one per direction; the same object if they are equal.
struct DirectedPairs
{
    std::shared_ptr<const DominatingPair> remove; ///< the mechanism used the example
    std::shared_ptr<const DominatingPair> add;    ///< the reference used the example
};

/**
 * @brief Reason to reject a step without known pairs.
 * @return half a line that follows an accountant's name, or "" if PairsOf() supports the step
 */
std::string WhyNoPairs(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief The pairs that dominate a step.
 * @param step with muAddRemove > 0, supported by WhyNoPairs()
 * @param adjacency which datasets are neighbours
 * @throws std::logic_error if WhyNoPairs() rejects it
 */
DirectedPairs PairsOf(const PrivacyStep& step, Adjacency adjacency);

} // namespace dpdl

#endif // DPDL_PRIVACY_DOMINATING_PAIRS_H
