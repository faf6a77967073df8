// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PLD_KINDS_H
#define DPDL_PRIVACY_PLD_KINDS_H

#include "dominating-pair.h"
#include "dpdl/privacy/privacy-step.h"

#include <array>
#include <memory>
#include <vector>

namespace dpdl
{

/// Steps that share one dominating pair, and their number.
struct PldKind
{
    std::shared_ptr<const DominatingPair> pair;
    double count{0.0}; ///< number of steps; within a family an interpolation weight of any sign
};

/// Many steps that differ only in mu, interpolated between few pairs.
struct PldFamily
{
    std::vector<PldKind> nodes;
    double count{0.0}; ///< number of steps, equal to the sum of the nodes' weights

    /// A pair between the nodes with its interpolation weights, to measure the error.
    struct Check
    {
        std::shared_ptr<const DominatingPair> pair;
        std::vector<double> weights;
    };

    std::vector<Check> checks;
    std::shared_ptr<const DominatingPair> strongest; ///< dominating pair of the family's largest mu
};

/// Steps with rate and shift inside one mesh cell, bounded by the pairs of its four corners.
struct MeshCell
{
    /// Position of steps within their cell, and their number.
    struct Place
    {
        double rate{0.0}; ///< weight of the cell's high rate, in [0, 1]; 1 minus it: of the low one
        /// Weight of the cell's high shift, in [0, 1]; 1 minus it: of the low one.
        double shift{0.0};
        double count{0.0}; ///< number of steps
    };

    /// Indices into PldMesh::corners of the cell's corners: both low, rate high, shift high, both
    /// high.
    std::array<std::size_t, 4> corners{};
    std::vector<Place> places;
    double count{0.0};  ///< number of steps in the cell
    double inside{0.0}; ///< mean distance of the steps from the corners, in [0, 1]

    /// Weights of the corners for a position.
    static std::array<double, 4> Weights(double rate, double shift)
    {
        return {(1.0 - rate) * (1.0 - shift),
                rate * (1.0 - shift),
                (1.0 - rate) * shift,
                rate * shift};
    }
};

/// A large number of steps, each bounded by a mixture of four corner pairs (StepMesh).
struct PldMesh
{
    std::vector<std::shared_ptr<const DominatingPair>> corners;
    /// Cells of the mesh, the same for both directions.
    std::shared_ptr<const std::vector<MeshCell>> cells;
    /// Few pairs with counts that stand for all steps, for estimates only.
    std::vector<PldKind> sketch;

    /// A step in the middle of a cell, to measure the effect of mixing on epsilon.
    struct Probe
    {
        std::size_t cell{0};
        double rate{0.0};  ///< weight of the high rate, in [0, 1]
        double shift{0.0}; ///< weight of the high shift, in [0, 1]
        std::shared_ptr<const DominatingPair> pair;
    };

    std::vector<Probe> probes;
};

/// Steps of a composition in one direction, sorted by how their pairs are evaluated.
struct PldKinds
{
    std::vector<PldKind> kinds;
    std::vector<PldFamily> families;
    std::vector<PldMesh> meshes;
    double steps{0.0}; ///< number of steps in all groups

    /// Few pairs with counts that stand for all steps; for PldEstimate only.
    std::vector<PldKind> Sketch() const;
};

/// Steps in both directions; equal if the pairs do not depend on the direction.
struct DirectedKinds
{
    PldKinds remove;
    PldKinds add;
    bool symmetric{true}; ///< true: both directions have the same pairs
};

/**
 * @brief Groups steps into kinds and families.
 *
 * All unsampled Gaussian steps become a single one, which is exact. Larger groups of Gaussian steps
 * that differ only in mu become families.
 * @param steps supported by WhyNoPairs(); steps with mu 0 are left out
 * @param adjacency neighbouring relation of datasets
 * @param families true: large groups become families; false: every step is a separate kind
 */
DirectedKinds SortKinds(const StepCounts& steps, Adjacency adjacency, bool families = true);

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_KINDS_H
