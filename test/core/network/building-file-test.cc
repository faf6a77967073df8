// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/network/building-file.h"

#include <gtest/gtest.h>
#include <sstream>

namespace dpdl
{
namespace
{

const std::string HEADER = "x_min,x_max,y_min,y_max,height\n";

std::vector<Building>
Parsed(const std::string& rows)
{
    std::istringstream text(HEADER + rows);
    return ParseBuildings(text, "b.csv");
}

std::string
BuildingError(const std::string& rows)
{
    return UsageMessage([&rows] { Parsed(rows); });
}

TEST(BuildingFile, HasABoxInEachRow)
{
    const std::vector<Building> buildings = Parsed("10, 190,-10,7.5,20\n\n0,1,0,1,1000\n");
    ASSERT_EQ(buildings.size(), 2u);
    EXPECT_EQ(buildings[0].xMin, 10.0);
    EXPECT_EQ(buildings[0].xMax, 190.0);
    EXPECT_EQ(buildings[0].yMin, -10.0);
    EXPECT_EQ(buildings[0].yMax, 7.5);
    EXPECT_EQ(buildings[0].height, 20.0);
    EXPECT_EQ(buildings[1].height, 1000.0);
}

TEST(BuildingFile, MistakesNameFileLineAndColumn)
{
    EXPECT_EQ(BuildingError("10,190,10,190,20\n10,10,0,1,20\n"),
              "buildings file 'b.csv', line 3, x_max: '10' is not accepted; expected metres up to "
              "1e6, above x_min=10");
    EXPECT_EQ(BuildingError("10,190,10,190,0\n"),
              "buildings file 'b.csv', line 2, height: '0' is not accepted; expected metres above "
              "0, at most 1000");
    EXPECT_EQ(BuildingError(""),
              "buildings file 'b.csv' has no building; expected the header "
              "x_min,x_max,y_min,y_max,height and a row for each");
    for (const auto& [row, place] : {std::pair{"10,190,10,190", "line 2"},
                                     {"10,190,10,190,", "height"},
                                     {"10,190,10,190,tall", "height"},
                                     {"10,190,10,190,1001", "height"},
                                     {"10,190,10,5,20", "y_max"},
                                     {"west,190,10,190,20", "x_min"},
                                     {"nan,190,10,190,20", "x_min"},
                                     {"-2e6,190,10,190,20", "x_min"},
                                     {"10,2e6,10,190,20", "x_max"}})
    {
        EXPECT_NE(BuildingError(row).find(place), std::string::npos) << row;
    }
}

} // namespace
} // namespace dpdl
