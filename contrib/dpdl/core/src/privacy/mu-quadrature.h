// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_MU_QUADRATURE_H
#define DPDL_PRIVACY_MU_QUADRATURE_H

#include <map>
#include <vector>

namespace dpdl
{

/// A quadrature node: a value of mu and its weight.
struct MuNode
{
    double mu{0.0};
    double weight{0.0}; ///< may be negative at an interpolation node
};

/// Values of mu within a factor of two, or the quadrature nodes that replace them.
struct MuPiece
{
    std::vector<MuNode> nodes;
    bool interpolated{false}; ///< false: the nodes are the values themselves
    double low{0.0};          ///< smallest value
    double high{0.0};         ///< largest value
    double count{0.0};        ///< sum of the counts
};

/**
 * @brief Replaces many values by few nodes: sum of weight * f(mu) over the nodes is sum of count *
 *        f(mu) over the values, for every f that is analytic in mu.
 *
 * The range of mu is cut into pieces that span a factor of two. Chebyshev interpolation of f
 * replaces a piece with more values than nodes; its error decreases geometrically with the number
 * of nodes. A piece with fewer values is kept and is exact.
 *
 * @param counts mu > 0 to its count
 * @param nodes Chebyshev nodes of a piece, at least 2; 24 give an error of about 1e-14 of f
 * @param spare a piece is replaced if it has at least this number of values more than nodes
 */
std::vector<MuPiece> PiecesOver(const std::map<double, double>& counts, int nodes, int spare);

/// Values of mu midway between nodes of an interpolated piece, spread over it.
std::vector<double> HeldOut(const MuPiece& piece, int number);

/// Weights that interpolate f at one mu from its values at the nodes.
std::vector<double> InterpolationWeights(const MuPiece& piece, double mu);

} // namespace dpdl

#endif // DPDL_PRIVACY_MU_QUADRATURE_H
