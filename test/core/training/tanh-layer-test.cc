// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-layer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace dpdl
{
namespace
{

std::vector<float>
Tangents(std::vector<float> in)
{
    std::vector<float> out(in.size());
    TanhLayer(in.size()).Forward({in.data(), out.data(), nullptr, nullptr, nullptr, 0, 1});
    return out;
}

TEST(TanhLayer, KeepsTheDigitsOfFloats)
{
    std::vector<float> in;
    for (double size = 1e-30; size < 100.0; size *= 1.01)
    {
        in.push_back(static_cast<float>(size));
        in.push_back(static_cast<float>(-size));
    }
    const std::vector<float> out = Tangents(in);
    for (std::size_t i = 0; i < in.size(); ++i)
    {
        const double expected = std::tanh(static_cast<double>(in[i]));
        EXPECT_NEAR(out[i], expected, 3e-7 * std::abs(expected)) << in[i];
        EXPECT_LE(std::abs(out[i]), 1.0F) << in[i];
    }
}

TEST(TanhLayer, KnowsZeroInfinityAndNaN)
{
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> out = Tangents({0.0F, -0.0F, infinity, -infinity, std::nanf("")});
    EXPECT_EQ(out[0], 0.0F);
    EXPECT_TRUE(std::signbit(out[1]));
    EXPECT_EQ(out[2], 1.0F);
    EXPECT_EQ(out[3], -1.0F);
    EXPECT_TRUE(std::isnan(out[4]));
}

} // namespace
} // namespace dpdl
