// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

namespace dpdl
{
namespace
{

std::vector<CsvRow>
Parse(const std::string& text)
{
    std::istringstream stream(text);
    return ParseCsv(stream, "price list", "p.csv", "name,price");
}

TEST(TableFile, ReadsRowsAndTheirPlaces)
{
    const std::vector<CsvRow> rows = Parse("\n name , price\r\n\n pear, 3 \nfig,\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].place, "price list 'p.csv', line 4");
    EXPECT_EQ(rows[0].fields, (std::vector<std::string>{"pear", "3"}));
    EXPECT_EQ(rows[1].fields, (std::vector<std::string>{"fig", ""}));
    EXPECT_EQ(Parse("name,\"price\"\n\"a, \"\"b\"\"\",\"3\"\n")[0].fields,
              (std::vector<std::string>{"a, \"b\"", "3"}));
    EXPECT_TRUE(Parse("").empty());
    EXPECT_TRUE(Parse("name,price\n").empty());
}

TEST(TableFile, RefusesAnotherHeaderAndOtherFieldsWithTheirLine)
{
    for (const auto& [text, expected] :
         {std::pair{"fig,2\n", "line 1: 'fig,2' is not accepted; expected the header name,price"},
          {"name,price\nfig\n", "line 2: 'fig' is not accepted; expected the fields name,price"},
          {"name;price\n",
           "line 1: 'name;price' is not accepted; expected fields separated by "
           "commas, not by semicolons"},
          {"name,price\nfig,\"2\n", "line 2: 'fig,\"2' is not accepted; expected a closing"},
          {"name,price\n\nfig,2,3\n", "line 3: 'fig,2,3' is not accepted"}})
    {
        try
        {
            Parse(text);
            ADD_FAILURE() << text;
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(
                std::string(error.what()).rfind("price list 'p.csv', " + std::string(expected)),
                0u)
                << error.what();
        }
    }
    EXPECT_THROW(OpenCsv(testing::TempDir() + "no-such-table.csv", "price list"), UsageError);
}

} // namespace

TEST(Quantity, TimesEndWhereADoubleHoldsEveryNanosecond)
{
    EXPECT_EQ(ParseSeconds("t", "4000000s"), LONGEST_TIME);
    EXPECT_LT(LONGEST_TIME - std::nextafter(LONGEST_TIME, 0.0), 1e-9);
    for (const char* text : {"4000001s", "1e30s", "1e300h", "-1s", "nans", "infs"})
    {
        EXPECT_THROW(ParseSeconds("t", text), UsageError) << text;
    }
    for (const double seconds : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 5e6})
    {
        EXPECT_THROW(RequireTime("t", "x", seconds), UsageError) << seconds;
    }
}

TEST(Quantity, RatesAreThoseThatTheSimulatorCountsInWholeBits)
{
    EXPECT_EQ(ParseBitsPerSecond("r", "1bps"), 1.0);
    EXPECT_EQ(ParseBitsPerSecond("r", "1000000Gbps"), 1e15);
    for (const char* text : {"0bps", "0.9bps", "1e-300bps", "1e16bps", "1e300Gbps"})
    {
        EXPECT_THROW(ParseBitsPerSecond("r", text), UsageError) << text;
    }
}
} // namespace dpdl
