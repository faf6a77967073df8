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

/// Steps with the same dominating pair, and their number.
struct PldKind
{
    std::shared_ptr<const DominatingPair> pair;
    /// Number of steps; for an interpolation node of a PldFamily a weight of any sign.
    double count{0.0};
};

/// More than 30 kinds of steps that differ only in mu. Their spectra (Fourier transforms of the
/// privacy loss) are interpolated between the spectra at 20 values of mu, the interpolation nodes.
struct PldFamily
{
    std::vector<PldKind> nodes;
    double count{0.0}; ///< number of steps; equals the sum of the interpolation nodes' weights

    /// A dominating pair whose mu is between two interpolation nodes, and the weights of the nodes
    /// at this mu. The difference between its exact and its interpolated spectrum is the
    /// interpolation error.
    struct Check
    {
        std::shared_ptr<const DominatingPair> pair;
        std::vector<double> weights;
    };

    std::vector<Check> checks;
    /// Dominating pair of the largest mu of the family's steps.
    std::shared_ptr<const DominatingPair> strongest;
};

/// Steps whose sampling rate and shift are in one cell of a mesh. A mixture of the dominating pairs
/// at the cell's four corners dominates each of the steps. The shift is the change of the gradient
/// sum in standard deviations of the noise.
struct MeshCell
{
    /// Position in the cell of a number of equal steps.
    struct Place
    {
        /// Interpolation weight, in [0, 1], of the corners with the larger sampling rate.
        double rate{0.0};
        /// Interpolation weight, in [0, 1], of the corners with the larger shift.
        double shift{0.0};
        double count{0.0}; ///< number of steps
    };

    /// Indices into PldMesh::corners. The corners have (sampling rate, shift) = (low, low), (high,
    /// low), (low, high) and (high, high).
    std::array<std::size_t, 4> corners{};
    std::vector<Place> places;
    double count{0.0};  ///< number of steps in the cell
    double inside{0.0}; ///< mean over the steps of their distance from the corners, on a scale from
                        ///< 0 (at a corner) to 1 (in the middle)

    /// Interpolation weights of the four corners at the position (@p rate, @p shift).
    static std::array<double, 4> Weights(double rate, double shift)
    {
        return {(1.0 - rate) * (1.0 - shift),
                rate * (1.0 - shift),
                (1.0 - rate) * shift,
                rate * shift};
    }
};

/// Steps on a mesh of sampling rates and shifts (MeshKinds()). A mixture of the dominating pairs at
/// the four corners of its cell bounds each step.
struct PldMesh
{
    /// Dominating pairs at the corners of cells; MeshCell::corners has indices into this vector.
    std::vector<std::shared_ptr<const DominatingPair>> corners;
    /// Cells of the mesh; the same object in both directions.
    std::shared_ptr<const std::vector<MeshCell>> cells;
    /// A few dominating pairs, each with a number of equal steps, that approximate all steps of the
    /// mesh. Only PldEstimate uses them.
    std::vector<PldKind> sketch;

    /// A step in the middle of a cell, at which the effect on epsilon of mixing the corners is
    /// estimated.
    struct Probe
    {
        std::size_t cell{0};
        double rate{0.0};  ///< interpolation weight of the larger sampling rate, in [0, 1]
        double shift{0.0}; ///< interpolation weight of the larger shift, in [0, 1]
        std::shared_ptr<const DominatingPair> pair;
    };

    std::vector<Probe> probes;
};

/// Steps of a composition in one direction. Spectra are computed exactly for `kinds`, interpolated
/// for `families`, and bounded on a mesh for `meshes`.
struct PldKinds
{
    std::vector<PldKind> kinds;
    std::vector<PldFamily> families;
    std::vector<PldMesh> meshes;
    double steps{0.0}; ///< number of steps of all kinds, families and meshes

    /// Pairs and numbers of steps that approximate all steps. Only PldEstimate uses them.
    std::vector<PldKind> Sketch() const;
};

/// Steps of a composition, grouped separately for the directions REMOVE and ADD.
struct DirectedKinds
{
    PldKinds remove;
    PldKinds add;
    bool symmetric{true}; ///< true: both directions have equal dominating pairs
};

/**
 * @brief Groups steps by dominating pair: a PldKind has equal steps, and a PldFamily has steps of
 *        similar mu.
 *
 * All unsampled Gaussian steps become one Gaussian step, which is exact. More than 30 different
 * sampled Gaussian steps that differ only in mu, by at most a factor of two, become a family.
 * @param steps steps for which WhyNoPairs() returns ""; steps with mu 0 are left out
 * @param adjacency neighbouring relation of datasets
 * @param families true: makes families; false: every different step becomes a separate kind
 * @return the grouped steps, without meshes
 */
DirectedKinds SortKinds(const StepCounts& steps, Adjacency adjacency, bool families = true);

} // namespace dpdl

#endif // DPDL_PRIVACY_PLD_KINDS_H
