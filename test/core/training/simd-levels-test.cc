// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// What is written once for each set of vector instructions gives the same on all that this
// processor has, and what a plain computation gives.

#include "tested-levels.h"

#include <cmath>

namespace dpdl
{
namespace
{

constexpr StreamName NAME{{7, 3}, {4, 11, 2026}};

// Also across the place where the low word of the block's number overflows.
TEST(SimdLevels, GiveTheWordsOfPhilox)
{
    EXPECT_EQ(SimdLevels().front(), SimdLevel::PORTABLE);
    EXPECT_TRUE(std::is_sorted(SimdLevels().begin(), SimdLevels().end()));
    EXPECT_LE(ResolveSimdLevel(), SimdLevels().back());
    const auto& c = NAME.counter;
    for (const TestedLevel& level : TestedLevels())
    {
        for (const std::uint64_t first : {0ULL, 16ULL, 0xfffffff0ULL, 0x100000000ULL})
        {
            std::uint32_t words[64];
            level.normal.words(NAME, first, words);
            for (std::uint64_t block = 0; block < 16; ++block)
            {
                const std::uint64_t index = first + block;
                const auto low = static_cast<std::uint32_t>(index);
                const auto high = static_cast<std::uint32_t>(index >> 32) | (c[0] << 16);
                const auto expected = Philox4x32({low, high, c[1], c[2]}, NAME.key);
                for (std::size_t i = 0; i < 4; ++i)
                {
                    EXPECT_EQ(words[4 * block + i], expected[i]) << level.name << index;
                }
            }
        }
    }
}

/// Box-Muller in double precision; see RandomStream::FillNormal for the order.
double
ReferenceNormal(std::size_t element)
{
    const std::size_t chunk = element / 64;
    const std::size_t kind = element % 64 / 16;
    const auto block = static_cast<std::uint32_t>(chunk * 16 + element % 16);
    const auto words =
        Philox4x32({block, NAME.counter[0] << 16, NAME.counter[1], NAME.counter[2]}, NAME.key);
    const std::uint32_t high = words[kind / 2 * 2];
    const std::uint32_t low = words[kind / 2 * 2 + 1];
    const double u = high * 0x1p-32 + ((low & 0xff) + 0.5) * 0x1p-40;
    const double angle = 2.0 * std::acos(-1.0) * (low >> 8) * 0x1p-24;
    return std::sqrt(-2.0 * std::log(u)) * (kind % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

TEST(SimdLevels, GiveTheNormalsOfBoxAndMuller)
{
    // The largest relative error is that of a radius near 0, where u is rounded to float32.
    Bits bits(0xeebbab7228cc9f46);
    for (const TestedLevel& level : TestedLevels())
    {
        for (const std::size_t count : {0, 1, 63, 64, 100000})
        {
            std::vector<float> normals(count + 1, 5.0F);
            level.normal.fill(NAME, count, normals.data());
            for (std::size_t i = 0; i < count; ++i)
            {
                const double expected = ReferenceNormal(i);
                ASSERT_NEAR(normals[i], expected, 2e-6 + 4e-8 / std::max(1e-4, std::abs(expected)))
                    << level.name << " " << i;
            }
            EXPECT_EQ(normals[count], 5.0F);
            bits.Add(level, normals);
        }
    }
}

TEST(SimdLevels, AddTheNormalsThatTheyFillWith)
{
    Bits bits(0x6d34835ad381eb1a);
    for (const TestedLevel& level : TestedLevels())
    {
        std::vector<float> normals(1001);
        level.normal.fill(NAME, normals.size(), normals.data());
        std::vector<float> sum(1001, 2.0F);
        level.normal.add(NAME, sum.size(), 0.5F, sum.data());
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            EXPECT_NEAR(sum[i], 2.0F + 0.5F * normals[i], 4e-7F) << level.name << " " << i;
        }
        std::vector<double> noisy(1001, 2.0);
        level.normal.addDoubles(NAME, noisy.size(), 0.7, noisy.data());
        level.normal.step(NAME, sum.size(), {noisy.data(), 0.7, 0.3F}, sum.data());
        bits.Add(level, noisy);
        bits.Add(level, sum);
    }
}

/// A random grid of windows on an image that is just large enough.
struct ConvCase
{
    explicit ConvCase(std::uint32_t seed)
    {
        TestNumbers draw(seed);
        const std::size_t inChannels = draw.Integer(1, 20);
        const std::size_t columns = draw.Integer(0, 5);
        const std::size_t stride = draw.Integer(1, 3);
        grid.rows = draw.Integer(0, 5);
        grid.piece = columns * inChannels;
        grid.height = draw.Integer(1, 7);
        grid.width = draw.Integer(1, 31);
        grid.channels = draw.Integer(1, 100);
        grid.inRow = ((grid.width - 1) * stride + columns) * inChannels;
        grid.inStepY = stride * grid.inRow;
        grid.inStepX = stride * inChannels;
        grid.outStepX = draw.Integer(1, 2) * grid.channels;
        grid.outStepY = grid.width * grid.outStepX;
        const std::size_t inRows = (grid.height - 1) * stride + grid.rows;
        in = draw.Values(inRows * grid.inRow + 16);
        weight = draw.Values(grid.rows * grid.piece * PaddedChannels(grid.channels));
        bias = draw.Values(PaddedChannels(grid.channels));
        out = draw.Values(grid.height * grid.outStepY + 16);
        grid.zerosAbove = std::min(draw.Integer(0, 3), inRows);
        grid.zerosBelow = std::min(draw.Integer(0, 3), inRows);
        std::fill_n(in.begin(), grid.zerosAbove * grid.inRow, 0.0F);
        std::fill_n(in.begin() + (inRows - grid.zerosBelow) * grid.inRow,
                    grid.zerosBelow * grid.inRow,
                    0.0F);
    }

    float In(std::size_t y, std::size_t x, std::size_t row, std::size_t k) const
    {
        return in[y * grid.inStepY + x * grid.inStepX + row * grid.inRow + k];
    }

    WindowGrid grid{};
    std::vector<float> in;
    std::vector<float> weight;
    std::vector<float> bias;
    std::vector<float> out;
};

/// What correlate() and weightGradient() give, in double precision; the rest of `out` stays as it
/// is.
struct ConvSums
{
    explicit ConvSums(const ConvCase& c)
        : out(c.out.begin(), c.out.end()),
          gradient(c.grid.rows * c.grid.piece * c.grid.channels)
    {
        const WindowGrid& grid = c.grid;
        for (std::size_t place = 0; place < grid.height * grid.width * grid.channels; ++place)
        {
            const std::size_t o = place % grid.channels;
            const std::size_t x = place / grid.channels % grid.width;
            const std::size_t y = place / grid.channels / grid.width;
            const std::size_t at = y * grid.outStepY + x * grid.outStepX + o;
            out[at] = c.bias[o];
            for (std::size_t i = 0; i < grid.rows * grid.piece; ++i)
            {
                const double in = c.In(y, x, i / grid.piece, i % grid.piece);
                out[at] += in * c.weight[i * PaddedChannels(grid.channels) + o];
                gradient[i * grid.channels + o] += in * c.out[at];
            }
        }
    }

    std::vector<double> out;
    std::vector<double> gradient;
};

TEST(SimdLevels, ConvolveAsThePlainSumsDo)
{
    Bits bits(0x208956dd6648ab62);
    for (std::uint32_t seed = 0; seed < 150; ++seed)
    {
        const ConvCase c(seed);
        const ConvSums expected(c);
        for (const TestedLevel& level : TestedLevels())
        {
            SCOPED_TRACE(level.name + " " + std::to_string(seed));
            const NativeKernels& kernels = level.native;
            std::vector<float> out = c.out;
            kernels.correlate(c.grid, c.in.data(), c.weight.data(), c.bias.data(), out.data());
            std::vector<float> gradient(expected.gradient.size() + 1, 5.0F);
            kernels.weightGradient(c.grid, c.in.data(), c.out.data(), gradient.data());
            for (std::size_t i = 0; i < out.size(); ++i)
            {
                ASSERT_NEAR(out[i], expected.out[i], 5e-5) << i;
            }
            for (std::size_t i = 0; i < expected.gradient.size(); ++i)
            {
                ASSERT_NEAR(gradient[i], expected.gradient[i], 5e-5) << i;
            }
            EXPECT_EQ(gradient.back(), 5.0F);
            bits.Add(level, out);
            bits.Add(level, gradient);
        }
    }
}

/// Checks an image's winners and values against its windows, and gradients against winners, which
/// it returns.
std::vector<float>
CheckPool(const PoolShape& shape, const NativeKernels& kernels, const std::vector<float>& in)
{
    const std::size_t outSize = shape.outHeight * shape.outWidth * shape.channels;
    std::vector<float> out(outSize);
    std::vector<std::uint16_t> winner(outSize);
    kernels.pool(shape, in.data(), out.data(), winner.data());
    std::vector<float> gradient(in.size(), 9.0F);
    kernels.poolGradient(shape, out.data(), winner.data(), gradient.data());
    std::vector<float> expectedGradient(in.size(), 0.0F);
    for (std::size_t i = 0; i < outSize; ++i)
    {
        const std::size_t y = i / shape.channels / shape.outWidth * shape.stride;
        const std::size_t x = i / shape.channels % shape.outWidth * shape.stride;
        std::size_t best = 0;
        std::size_t place = 0;
        for (std::size_t k = 0; k < shape.kernel * shape.kernel; ++k)
        {
            const std::size_t at =
                ((y + k / shape.kernel) * shape.inWidth + x + k % shape.kernel) * shape.channels +
                i % shape.channels;
            if (k == 0 || in[at] > in[best])
            {
                best = at;
                place = k;
            }
        }
        const bool dead = shape.relu && in[best] <= 0.0F;
        EXPECT_EQ(out[i], dead ? 0.0F : in[best]);
        EXPECT_EQ(winner[i], dead ? NO_WINNER : place);
        expectedGradient[best] += dead ? 0.0F : out[i];
    }
    for (std::size_t i = 0; i < in.size(); ++i)
    {
        EXPECT_NEAR(gradient[i], expectedGradient[i], 1e-5);
    }
    return gradient;
}

TEST(SimdLevels, PoolAsEachWindowSays)
{
    Bits bits(0xc1f510e1f869c321);
    for (std::uint32_t seed = 0; seed < 40; ++seed)
    {
        TestNumbers draw(seed);
        PoolShape shape{};
        shape.channels = draw.Integer(1, 40);
        shape.kernel = draw.Integer(1, 4);
        shape.stride = draw.Integer(1, 3);
        shape.outHeight = draw.Integer(1, 5);
        shape.outWidth = draw.Integer(1, 9);
        shape.inWidth = (shape.outWidth - 1) * shape.stride + shape.kernel;
        shape.relu = draw.Integer(0, 1) == 1;
        shape.inSize =
            ((shape.outHeight - 1) * shape.stride + shape.kernel) * shape.inWidth * shape.channels;
        std::vector<float> in = draw.Values(shape.inSize);
        for (float& value : in)
        {
            value = std::round(8.0F * value) / 7.0F; // many equal values
        }
        for (const TestedLevel& level : TestedLevels())
        {
            SCOPED_TRACE(level.name + " " + std::to_string(seed));
            bits.Add(level, CheckPool(shape, level.native, in));
        }
    }
}

} // namespace
} // namespace dpdl
