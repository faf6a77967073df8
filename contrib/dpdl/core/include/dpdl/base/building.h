// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_BUILDING_H
#define DPDL_BASE_BUILDING_H

namespace dpdl
{

/// A building that shadows radios: a box on the ground whose walls run north and east.
struct Building
{
    double xMin{0.0};   ///< western wall, in metres
    double xMax{0.0};   ///< eastern wall
    double yMin{0.0};   ///< southern wall
    double yMax{0.0};   ///< northern wall
    double height{0.0}; ///< of the roof above the ground, in metres
};

} // namespace dpdl

#endif // DPDL_BASE_BUILDING_H
