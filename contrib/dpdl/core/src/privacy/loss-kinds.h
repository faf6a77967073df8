// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_LOSS_KINDS_H
#define DPDL_PRIVACY_LOSS_KINDS_H

#include "dominating-pairs.h"
#include "dpdl/privacy/privacy-step.h"

#include <array>
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

    /// A pair that is no node, and the weights that interpolate it: measures the error.
    struct Check
    {
        std::shared_ptr<const DominatingPair> pair;
        std::vector<double> weights;
    };

    std::vector<Check> checks;
    std::shared_ptr<const DominatingPair> strongest; ///< that of the largest mu
};

/// Steps whose rate and shift lie between those of the same four pairs.
struct MeshCell
{
    /// Where steps are in their cell: how much of the upper value of each is mixed in.
    struct Place
    {
        double rate{0.0};  ///< in [0, 1]
        double shift{0.0}; ///< in [0, 1]
        double count{0.0}; ///< how many steps
    };

    /// Both low, the rate high, the shift high, both high: indices of a mesh's corners.
    std::array<std::size_t, 4> corners{};
    std::vector<Place> places;
    double count{0.0};  ///< how many steps
    double inside{0.0}; ///< mean over the steps of how far from the corners they are, in [0, 1]

    /// Weights of the corners at a place.
    static std::array<double, 4> Weights(double rate, double shift)
    {
        return {(1.0 - rate) * (1.0 - shift),
                rate * (1.0 - shift),
                (1.0 - rate) * shift,
                rate * shift};
    }
};

/// Very many steps, each between four of the few pairs that bound it by their mixture (StepMesh).
struct LossMesh
{
    std::vector<std::shared_ptr<const DominatingPair>> corners;
    std::shared_ptr<const std::vector<MeshCell>> cells; ///< the same in both directions
    std::vector<LossKind> sketch; ///< few pairs that are about the same; nothing is proven by them

    /// A step in the middle of a cell: measures how far mixing raises epsilon.
    struct Probe
    {
        std::size_t cell{0};
        double rate{0.0};  ///< as in Place
        double shift{0.0}; ///< as in Place
        std::shared_ptr<const DominatingPair> pair;
    };

    std::vector<Probe> probes;
};

/// The steps of a composition, seen from one direction.
struct LossKinds
{
    std::vector<LossKind> kinds;
    std::vector<LossFamily> families;
    std::vector<LossMesh> meshes;
    double steps{0.0}; ///< number of steps
};

/// Both directions; equal if no pair distinguishes them.
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
 * @param families false: every step is a separate kind
 */
DirectedKinds SortKinds(const StepCounts& steps, Adjacency adjacency, bool families = true);

} // namespace dpdl

#endif // DPDL_PRIVACY_LOSS_KINDS_H
