// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MU_QUADRATURE_H
#define DPDL_PRIVACY_MU_QUADRATURE_H

#include <map>
#include <vector>

namespace dpdl
{

/// A node of a quadrature: a value of mu, and how often it counts.
struct MuNode
{
    double mu{0.0};
    double weight{0.0}; ///< may be negative where it stands for many others
};

/// Values of mu within a factor of two, or the nodes that stand for them.
struct MuPiece
{
    std::vector<MuNode> nodes;
    bool interpolated{false}; ///< false: the nodes are the values themselves
    double low{0.0};          ///< smallest value
    double high{0.0};         ///< largest value
    double count{0.0};        ///< sum of the counts
};

/**
 * @brief Few nodes that stand for many values: sum of weight * f(mu) over the nodes is the sum of
 *        count * f(mu) over the values, for every f that is analytic in mu.
 *
 * The range of mu is cut into pieces that end at twice their beginning; a piece with more values
 * than nodes is replaced by Chebyshev interpolation of f, whose error falls geometrically with the
 * number of nodes. A piece with fewer stays as it is, and is exact.
 *
 * @param counts mu > 0 to count
 * @param nodes Chebyshev nodes of a piece, at least 2; 24 give about 1e-14 of f's size
 * @param spare how many more values than nodes a piece must have to be replaced
 */
std::vector<MuPiece> PiecesOver(const std::map<double, double>& counts, int nodes, int spare);

/// Values of mu in the middle between two nodes of an interpolated piece, spread over it.
std::vector<double> HeldOut(const MuPiece& piece, int number);

/// Weights by which a piece's interpolation gives f at one mu from f at the nodes.
std::vector<double> InterpolationWeights(const MuPiece& piece, double mu);

} // namespace dpdl

#endif // DPDL_PRIVACY_MU_QUADRATURE_H
