// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Convolutions by fewer products give what the plain sums give, on all sets of vector instructions.

#include "row-winograd.h"
#include "tested-levels.h"

#include <cmath>

namespace dpdl
{
namespace
{

/// A random convolution with random values.
struct WinogradCase
{
    explicit WinogradCase(std::uint32_t seed)
    {
        TestNumbers draw(seed);
        shape.kernel = draw.Integer(3, 5);
        shape.padding = draw.Integer(0, 4) % shape.kernel;
        shape.stride = 1;
        shape.channels = 16 * draw.Integer(1, 3);
        shape.outChannels = 16 * draw.Integer(1, 5);
        shape.height = draw.Integer(5, 9);
        shape.width = draw.Integer(8, 17);
        shape.outHeight = shape.height + 2 * shape.padding - shape.kernel + 1;
        shape.outWidth = shape.width + 2 * shape.padding - shape.kernel + 1;
        image = draw.Values(shape.InSize());
        weight = draw.Values(shape.WindowSize() * shape.outChannels);
        bias = draw.Values(shape.outChannels);
        outGradient = draw.Values(shape.OutSize());
    }

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
        const std::size_t channels = s.outChannels;
        for (std::size_t place = 0; place < s.outHeight * s.outWidth; ++place)
        {
            std::copy_n(c.bias.begin(), channels, &out[place * channels]);
            for (std::size_t i = 0; i < s.WindowSize(); ++i)
            {
                const std::size_t k = i / s.channels;
                const std::size_t y = place / s.outWidth + k / s.kernel - s.padding;
                const std::size_t x = place % s.outWidth + k % s.kernel - s.padding;
                const std::size_t from = (y * s.width + x) * s.channels + i % s.channels;
                const double in = y < s.height && x < s.width ? c.image[from] : 0.0F;
                for (std::size_t o = 0; o < channels; ++o)
                {
                    out[place * channels + o] += in * c.weight[i * channels + o];
                    gradient[i * channels + o] += in * c.outGradient[place * channels + o];
                }
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
    Bits bits(0x7384f1c508e693fc);
    for (std::uint32_t seed = 0; seed < 30; ++seed)
    {
        const WinogradCase c(seed);
        const PlainSums expected(c);
        ASSERT_TRUE(RowWinograd::Suits(c.shape));
        for (const TestedLevel& level : TestedLevels())
        {
            SCOPED_TRACE(level.name + " " + std::to_string(seed));
            RowWinograd convolution(c.shape, level.native);
            convolution.Load(c.weight.data());
            std::vector<float> out(c.shape.OutSize());
            convolution.Correlate(c.image.data(), c.bias.data(), out.data());
            std::vector<float> gradient(c.weight.size());
            convolution.WeightGradient(c.image.data(), c.outGradient.data(), gradient.data());
            EXPECT_LT(RelativeError(out, expected.out), 4e-6);
            EXPECT_LT(RelativeError(gradient, expected.gradient), 4e-6);
            bits.Add(level, out);
            bits.Add(level, gradient);
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
