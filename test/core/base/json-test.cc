// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/json.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Json, TextIsQuotedAndKeepsItsCharacters)
{
    EXPECT_EQ(JsonText(""), "\"\"");
    EXPECT_EQ(JsonText("a \"b\" c:\\d"), "\"a \\\"b\\\" c:\\\\d\"");
    EXPECT_EQ(JsonText("a\nb\x01"), "\"a\\nb\\u0001\"") << "JSON allows no control character";
    EXPECT_EQ(JsonText("\xc3\xa4"), "\"\xc3\xa4\"");
}

TEST(Json, NumbersReadBackAsTheSameDouble)
{
    EXPECT_EQ(JsonNumber(1.0), "1");
    for (const double value : {0.1, 1.0 / 3.0, 5e-324, -1.7976931348623157e308})
    {
        EXPECT_EQ(std::strtod(JsonNumber(value).c_str(), nullptr), value);
    }
}

TEST(Json, HasAWordForWhatIsNoNumber)
{
    EXPECT_EQ(JsonNumber(INFINITY), "\"inf\"");
    EXPECT_EQ(JsonNumber(-INFINITY), "\"-inf\"");
    EXPECT_EQ(JsonNumber(std::nan("")), "null");
    EXPECT_EQ(JsonNumber(std::optional<double>()), "null");
    EXPECT_EQ(JsonNumber(std::optional<double>(2.5)), "2.5");
}

} // namespace
} // namespace dpdl
