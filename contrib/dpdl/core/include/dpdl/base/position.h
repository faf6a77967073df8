// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_POSITION_H
#define DPDL_BASE_POSITION_H

namespace dpdl
{

/// Where a node is, in metres.
struct Position
{
    double x{0.0}; ///< east
    double y{0.0}; ///< north
    double z{0.0}; ///< height
};

/// Square of the distance of two positions in a straight line, in square metres.
inline double
SquaredDistance(const Position& a, const Position& b)
{
    const double x = a.x - b.x;
    const double y = a.y - b.y;
    const double z = a.z - b.z;
    return x * x + y * y + z * z;
}

} // namespace dpdl

#endif // DPDL_BASE_POSITION_H
