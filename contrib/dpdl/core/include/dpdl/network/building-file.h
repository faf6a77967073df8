// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_BUILDING_FILE_H
#define DPDL_NETWORK_BUILDING_FILE_H

#include "dpdl/base/types.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Reads and checks a file of buildings: boxes with axis-parallel walls.
 *
 *     x_min,x_max,y_min,y_max,height
 *     10,190,10,190,20
 *
 * Lengths are in metres, in the coordinate system of the movement file. Coordinates are in [-1e6,
 * 1e6], heights in (0, 1000]. Boxes may overlap.
 *
 * @param text contents of the file
 * @param name name of the file in messages, usually its path
 * @throws UsageError naming file, line and column if a number is invalid or missing, x_max is not
 *         above x_min, or y_max is not above y_min. Also if there is no building
 */
std::vector<Building> ParseBuildings(std::istream& text, const std::string& name);

/// Reads and checks the file of buildings at @p path with ParseBuildings().
/// @throws UsageError naming file, line and column if ParseBuildings() rejects the file, or naming
/// the path if it cannot be read
std::vector<Building> ReadBuildings(const std::string& path);

} // namespace dpdl

#endif // DPDL_NETWORK_BUILDING_FILE_H
