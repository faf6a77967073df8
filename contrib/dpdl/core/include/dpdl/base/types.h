// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_TYPES_H
#define DPDL_BASE_TYPES_H

#include <cstdint>

namespace dpdl
{

/// Index of a node, 0..n-1; equal in all tables of a trace and in all graphs.
using NodeId = std::uint32_t;

/// Index of a round, from 0. In round k, a node computes its gradient at its model z^k and obtains
/// z^{k+1}.
using Round = std::uint32_t;

/// Position of a node, in metres.
struct Position
{
    double x{0.0}; ///< metres to the east of the origin
    double y{0.0}; ///< metres to the north of the origin
    double z{0.0}; ///< height, in metres
};

/// Square of the Euclidean distance of two positions, in square metres.
inline double
SquaredDistance(const Position& a, const Position& b)
{
    const double x = a.x - b.x;
    const double y = a.y - b.y;
    const double z = a.z - b.z;
    return x * x + y * y + z * z;
}

/// A building that attenuates radio signals: a box on the ground with walls along the axes.
struct Building
{
    double xMin{0.0};   ///< western wall, in metres
    double xMax{0.0};   ///< eastern wall, in metres
    double yMin{0.0};   ///< southern wall, in metres
    double yMax{0.0};   ///< northern wall, in metres
    double height{0.0}; ///< height of the roof above the ground, in metres
};

} // namespace dpdl

#endif // DPDL_BASE_TYPES_H
