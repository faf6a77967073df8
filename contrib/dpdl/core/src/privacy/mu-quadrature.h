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
 */
std::vector<MuNode> QuadratureOver(const std::map<double, double>& counts, int nodes = 24);

} // namespace dpdl

#endif // DPDL_PRIVACY_MU_QUADRATURE_H
