// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{

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
