// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The kernels of linear layers and of sums in double precision, for each set of vector instructions
// that this processor has.

#include "product-scratch.h"
#include "tested-levels.h"

#include <cmath>

namespace dpdl
{
namespace
{

/// A linear layer of random sizes, in one piece of memory as the engine has it.
struct LayerCase
{
    explicit LayerCase(std::uint32_t seed)
        : draw(seed),
          shape{draw.Integer(1, 15), draw.Integer(1, 70), draw.Integer(1, 30), 0}
    {
        shape.weightRow = shape.inputs + draw.Integer(0, 5);
        in = draw.Buffer(shape.count * shape.inputs);
        weight = draw.Buffer(shape.outputs * shape.weightRow);
        bias = draw.Buffer(shape.outputs);
    }

    std::vector<float> Score(const NativeKernels& kernels, std::size_t first, std::size_t count)
    {
        LogitShape part = shape;
        part.count = count;
        std::vector<float> out(count * shape.outputs);
        const float* from = in.Data() + first * shape.inputs;
        kernels.score(part, from, weight.Data(), bias.Data(), out.data());
        return out;
    }

    TestNumbers draw;
    LogitShape shape;
    FloatBuffer in;
    FloatBuffer weight;
    FloatBuffer bias;
};

// The logits of an example do not depend on the others: the bound of a sum rests on it.
TEST(ProductKernels, ScoreAsThePlainSumsDoAndAnExampleAloneAsAmongOthers)
{
    Bits bits(0x414db2e255c7f9b3);
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        LayerCase layer(seed);
        const LogitShape& shape = layer.shape;
        for (const TestedLevel& level : TestedLevels())
        {
            const std::vector<float> out = layer.Score(level.native, 0, shape.count);
            for (std::size_t i = 0; i < out.size(); ++i)
            {
                const float* x = layer.in.Data() + i / shape.outputs * shape.inputs;
                const float* w = layer.weight.Data() + i % shape.outputs * shape.weightRow;
                double expected = layer.bias.Data()[i % shape.outputs];
                for (std::size_t k = 0; k < shape.inputs; ++k)
                {
                    expected += static_cast<double>(x[k]) * static_cast<double>(w[k]);
                }
                ASSERT_NEAR(out[i], expected, 1e-5) << level.name << " " << seed;
                const std::vector<float> alone = layer.Score(level.native, i / shape.outputs, 1);
                ASSERT_EQ(alone[i % shape.outputs], out[i]) << level.name << " " << seed;
            }
            bits.Add(level, out);
        }
    }
}

/// Windows side by side, as examples are to a linear layer: all of them, or one alone.
TEST(ProductKernels, ConvolveAWindowAloneAsAmongOthers)
{
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        TestNumbers draw(seed);
        const std::size_t count = draw.Integer(1, 40);
        const std::size_t size = draw.Integer(1, 40);
        const std::size_t channels = draw.Integer(1, 100);
        WindowGrid grid{1, size, size, 0, size, 1, count, 0, channels, channels};
        FloatBuffer in = draw.Buffer(count * size);
        FloatBuffer weight = draw.Buffer(size * PaddedChannels(channels));
        FloatBuffer bias = draw.Buffer(PaddedChannels(channels));
        for (const TestedLevel& level : TestedLevels())
        {
            const auto correlate = [&](std::size_t first, std::size_t width) {
                std::vector<float> out(width * channels);
                const float* from = in.Data() + first * size;
                grid.width = width;
                level.native.correlate(grid, from, weight.Data(), bias.Data(), out.data());
                return out;
            };
            const std::vector<float> all = correlate(0, count);
            for (std::size_t i = 0; i < count; ++i)
            {
                const std::vector<float> alone = correlate(i, 1);
                const auto among = all.begin() + static_cast<long>(i * channels);
                EXPECT_TRUE(std::equal(alone.begin(), alone.end(), among))
                    << level.name << " " << seed;
            }
        }
    }
}

/// A sum of outer products of random sizes; many left values are zero.
struct SumCase
{
    explicit SumCase(std::uint32_t seed)
        : draw(seed),
          shape{draw.Integer(1, 128), draw.Integer(1, 40), draw.Integer(1, 90), false, false}
    {
        shape.isFirst = draw.Integer(0, 1) == 1;
        shape.isTransposed = shape.rows <= FEW_ROWS && draw.Integer(0, 1) == 1;
        left = draw.Buffer(shape.count * shape.rows);
        right = draw.Buffer(shape.count * shape.columns);
        const FloatBuffer drawn = draw.Buffer(shape.count);
        factors.assign(drawn.Data(), drawn.Data() + shape.count);
        for (std::size_t i = 0; i < left.Size(); ++i)
        {
            left.Data()[i] = left.Data()[i] < 0.2F ? 0.0F : left.Data()[i];
        }
    }

    double Product(std::size_t i, std::size_t row, std::size_t column) const
    {
        return factors[i] * static_cast<double>(left.Data()[i * shape.rows + row]) *
               static_cast<double>(right.Data()[i * shape.columns + column]);
    }

    TestNumbers draw;
    ProductShape shape;
    FloatBuffer left;
    FloatBuffer right;
    std::vector<double> factors;
};

TEST(ProductKernels, AddProductsInDoublePrecision)
{
    Bits bits(0x0b2f99127ba3d741);
    for (std::uint32_t seed = 0; seed < 200; ++seed)
    {
        const SumCase c(seed);
        const ProductShape& shape = c.shape;
        for (const TestedLevel& level : TestedLevels())
        {
            std::vector<double> sum(shape.rows * shape.columns + 1, 3.0);
            ProductScratch scratch(shape.count, shape.rows);
            const float* left = c.left.Data();
            const float* right = c.right.Data();
            const ProductMemory memory = scratch.Memory();
            level.native.addProducts(shape, left, c.factors.data(), right, memory, sum.data());
            for (std::size_t at = 0; at + 1 < sum.size(); ++at)
            {
                const std::size_t width = shape.isTransposed ? shape.rows : shape.columns;
                const std::size_t row = shape.isTransposed ? at % width : at / width;
                const std::size_t column = shape.isTransposed ? at / width : at % width;
                double expected = shape.isFirst ? 0.0 : 3.0;
                for (std::size_t i = 0; i < shape.count; ++i)
                {
                    expected += c.Product(i, row, column);
                }
                ASSERT_NEAR(sum[at], expected, 1e-13) << level.name << " " << seed;
            }
            EXPECT_EQ(sum.back(), 3.0);
            bits.Add(level, sum);
        }
    }
}

TEST(ProductKernels, AddScaledRowsAndSquaresInDoublePrecision)
{
    Bits bits(0x8d170e07ae1c07a0);
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        const SumCase c(seed);
        const std::size_t width = c.shape.columns;
        std::vector<double> factors = c.factors;
        FloatBuffer rows = TestNumbers(seed + 1000).Buffer(c.shape.count * width);
        // What is left out may be infinite.
        factors[c.shape.count / 2] = 0.0;
        std::fill_n(rows.Data() + c.shape.count / 2 * width, width, INFINITY);
        for (const TestedLevel& level : TestedLevels())
        {
            const NativeKernels& kernels = level.native;
            std::vector<double> sum(width + 1, 3.0);
            kernels.addScaledRows(rows.Data(), factors.data(), c.shape.count, width, sum.data());
            double squares = 0.0;
            for (std::size_t i = 0; i < width; ++i)
            {
                double expected = 3.0;
                for (std::size_t r = 0; r < c.shape.count; ++r)
                {
                    expected += factors[r] == 0.0
                                    ? 0.0
                                    : factors[r] * static_cast<double>(rows.Data()[r * width + i]);
                }
                ASSERT_NEAR(sum[i], expected, 1e-13) << level.name << " " << seed;
                squares += std::pow(static_cast<double>(c.right.Data()[i]), 2);
            }
            EXPECT_EQ(sum.back(), 3.0);
            const double norm = kernels.squaredNorm(c.right.Data(), width);
            EXPECT_NEAR(norm, squares, 1e-13 * squares);
            sum.back() = norm;
            bits.Add(level, sum);
        }
    }
}

} // namespace
} // namespace dpdl
