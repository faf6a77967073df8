// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Convolutions by fewer products give what the plain sums give, on all sets of vector instructions.

#include "dpdl/base/random.h"
#include "row-winograd.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{
namespace
{

/// A random convolution with random values.
struct WinogradCase
{
    explicit WinogradCase(std::uint32_t seed)
        : stream({seed, 1}, RandomPurpose::TEST, 0, 0)
    {
        shape.kernel = Draw(3, 5);
        shape.padding = Draw(0, 4) % shape.kernel;
        shape.stride = 1;
        shape.channels = 16 * Draw(1, 3);
        shape.outChannels = 16 * Draw(1, 5);
        shape.height = Draw(5, 9);
        shape.width = Draw(8, 17);
        shape.outHeight = shape.height + 2 * shape.padding - shape.kernel + 1;
        shape.outWidth = shape.width + 2 * shape.padding - shape.kernel + 1;
        image = Values(shape.InSize());
        weight = Values(shape.WindowSize() * shape.outChannels);
        bias = Values(shape.outChannels);
        outGradient = Values(shape.OutSize());
    }

    std::size_t Draw(std::size_t least, std::size_t most)
    {
        return least + stream.Integer(next++, static_cast<std::uint32_t>(most - least + 1));
    }

    std::vector<float> Values(std::size_t count)
    {
        std::vector<float> values(count);
        for (float& value : values)
        {
            value = static_cast<float>(2.0 * stream.Uniform(next++) - 1.0);
        }
        return values;
    }

    RandomStream stream;
    std::uint64_t next{0};
    ConvShape shape{};
    std::vector<float> image;
    std::vector<float> weight;
    std::vector<float> bias;
    std::vector<float> outGradient;
};

/// Results and weight gradient in double precision.
struct PlainSums
{
    explicit PlainSums(const WinogradCase& c)
        : out(c.shape.OutSize()),
          gradient(c.weight.size())
    {
        const ConvShape& s = c.shape;
        for (std::size_t place = 0; place < s.outHeight * s.outWidth; ++place)
        {
            for (std::size_t o = 0; o < s.outChannels; ++o)
            {
                out[place * s.outChannels + o] = c.bias[o];
            }
            for (std::size_t k = 0; k < s.kernel * s.kernel; ++k)
            {
                const std::size_t y = place / s.outWidth + k / s.kernel - s.padding;
                const std::size_t x = place % s.outWidth + k % s.kernel - s.padding;
                if (y < s.height && x < s.width)
                {
                    Add(c, place, k, (y * s.width + x) * s.channels);
                }
            }
        }
    }

    /// One value of a window with all channels. @param from the input's first channel
    void Add(const WinogradCase& c, std::size_t place, std::size_t k, std::size_t from)
    {
        const ConvShape& s = c.shape;
        for (std::size_t i = 0; i < s.channels; ++i)
        {
            for (std::size_t o = 0; o < s.outChannels; ++o)
            {
                const std::size_t w = (k * s.channels + i) * s.outChannels + o;
                const std::size_t at = place * s.outChannels + o;
                const auto in = static_cast<double>(c.image[from + i]);
                out[at] += in * c.weight[w];
                gradient[w] += in * c.outGradient[at];
            }
        }
    }

    std::vector<double> out;
    std::vector<double> gradient;
};

/// The largest difference, as a part of the largest value.
double
RelativeError(const std::vector<float>& values, const std::vector<double>& expected)
{
    double error = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        error = std::max(error, std::abs(values[i] - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    return error / largest;
}

TEST(RowWinograd, GivesThePlainSums)
{
    for (std::uint32_t seed = 0; seed < 30; ++seed)
    {
        const WinogradCase c(seed);
        const PlainSums expected(c);
        ASSERT_TRUE(RowWinograd::Suits(c.shape));
        for (const SimdLevel level : SimdLevels())
        {
            SCOPED_TRACE(std::string(NameOf(level)) + " " + std::to_string(seed));
            RowWinograd convolution(c.shape, NativeKernelsOf(level));
            convolution.Load(c.weight.data());
            std::vector<float> out(c.shape.OutSize());
            convolution.Correlate(c.image.data(), c.bias.data(), out.data());
            std::vector<float> gradient(c.weight.size());
            convolution.WeightGradient(c.image.data(), c.outGradient.data(), gradient.data());
            EXPECT_LT(RelativeError(out, expected.out), 4e-6);
            EXPECT_LT(RelativeError(gradient, expected.gradient), 4e-6);
        }
    }
}

TEST(RowWinograd, IsLeftOutWhereItWouldNotPay)
{
    const ConvShape suits{32, 14, 14, 5, 1, 2, 14, 14, 64};
    EXPECT_TRUE(RowWinograd::Suits(suits));
    for (std::size_t ConvShape::*const member : {&ConvShape::stride, &ConvShape::channels})
    {
        ConvShape other = suits;
        other.*member += 1;
        EXPECT_FALSE(RowWinograd::Suits(other));
    }
    EXPECT_FALSE(RowWinograd::Suits({32, 14, 14, 7, 1, 3, 14, 14, 64}));
    EXPECT_FALSE(RowWinograd::Suits({32, 3, 3, 3, 1, 1, 3, 3, 64}));
}

} // namespace
} // namespace dpdl
