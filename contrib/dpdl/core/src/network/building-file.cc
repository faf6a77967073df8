// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/building-file.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <cmath>

namespace dpdl
{

namespace
{

constexpr const char* BUILDINGS = "buildings file";
constexpr const char* BUILDING_COLUMNS = "x_min,x_max,y_min,y_max,height";
/// Largest height of a building, m.
constexpr double HIGHEST_ROOF = 1000.0;

/// Reads the two coordinates, in m, of a building's walls along one axis.
/// @throws UsageError unless @p low < @p high
void
ReadWalls(const CsvRow& row, std::size_t column, const std::string& axis, double& low, double& high)
{
    const std::string first = Excerpt(row.fields[column]);
    low = ParseNumber(row.place + ", " + axis + "_min",
                      first,
                      "metres from -1e6 to 1e6",
                      [](double metres) { return std::abs(metres) <= FARTHEST_PLACE; });
    high = ParseNumber(row.place + ", " + axis + "_max",
                       Excerpt(row.fields[column + 1]),
                       "metres up to 1e6, above " + axis + "_min=" + first,
                       [low](double metres) { return metres > low && metres <= FARTHEST_PLACE; });
}

} // namespace

std::vector<Building>
ParseBuildings(std::istream& text, const std::string& name)
{
    std::vector<Building> buildings;
    for (const CsvRow& row : ParseCsv(text, BUILDINGS, name, BUILDING_COLUMNS))
    {
        Building building;
        ReadWalls(row, 0, "x", building.xMin, building.xMax);
        ReadWalls(row, 2, "y", building.yMin, building.yMax);
        building.height =
            ParseNumber(row.place + ", height",
                        Excerpt(row.fields[4]),
                        "metres above 0, at most 1000",
                        [](double metres) { return metres > 0.0 && metres <= HIGHEST_ROOF; });
        buildings.push_back(building);
    }
    DPDL_REFUSE_IF(buildings.empty(),
                   std::string(BUILDINGS) + " '" + name +
                       "' has no building; expected the header " + BUILDING_COLUMNS +
                       " and a row for each");
    return buildings;
}

std::vector<Building>
ReadBuildings(const std::string& path)
{
    std::ifstream file = OpenCsv(path, BUILDINGS);
    return ParseBuildings(file, path);
}

} // namespace dpdl
