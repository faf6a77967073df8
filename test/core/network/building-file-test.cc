// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
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
    for (const auto& [text, message] : MistakesOf("buildings file"))
    {
        EXPECT_NE(BuildingError(text).find(message), std::string::npos) << BuildingError(text);
    }
}

} // namespace
} // namespace dpdl
