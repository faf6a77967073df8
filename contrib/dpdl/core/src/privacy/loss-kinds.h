// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_KINDS_H
#define DPDL_PRIVACY_LOSS_KINDS_H

#include "dominating-pairs.h"
#include "dpdl/privacy/privacy-step.h"

#include <memory>
#include <vector>

namespace dpdl
{

/// Steps that have one pair in common.
struct LossKind
{
    std::shared_ptr<const DominatingPair> pair;
    double count{0.0}; ///< how many steps; a weight of any sign within a family
};

/// Many steps that differ in mu alone, and the few pairs between which they are interpolated.
struct LossFamily
{
    std::vector<LossKind> nodes;
    double count{0.0}; ///< how many steps, the sum of the nodes' weights

    /// A pair that is no node, and the weights that interpolate it: tells the error.
    struct Check
    {
        std::shared_ptr<const DominatingPair> pair;
        std::vector<double> weights;
    };

    std::vector<Check> checks;
    std::shared_ptr<const DominatingPair> strongest; ///< that of the largest mu
};

/// The steps of a composition, seen from one direction.
struct LossKinds
{
    std::vector<LossKind> kinds;
    std::vector<LossFamily> families;
    double steps{0.0}; ///< number of steps
};

/// Both directions; equal if no pair tells them apart.
struct DirectedKinds
{
    LossKinds remove;
    LossKinds add;
    bool symmetric{true}; ///< both directions have the same pairs
};

/**
 * @brief Sorts steps into kinds and families.
 *
 * Gaussian steps without sampling become a single one, which is exact. Larger groups of Gaussian
 * steps that differ in mu alone become families.
 * @param steps with pairs by WhyNoPairs; those with mu 0 are left out
 * @param adjacency which datasets are neighbours
 * @param families false: every step is a kind of its own
 */
DirectedKinds SortKinds(const StepCounts& steps, Adjacency adjacency, bool families = true);

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_KINDS_H
