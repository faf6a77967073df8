// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The kernels of linear layers and of sums in double precision, for each set of vector instructions
// that this processor has.

#include "dpdl/base/random.h"
#include "product-scratch.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{
namespace
{

/// ProductNumbers for a test, each in [-1, 1).
class ProductNumbers
{
  public:
    explicit ProductNumbers(std::uint32_t seed)
        : m_stream({seed, 1}, RandomPurpose::TEST, 3, 0)
    {
    }

    FloatBuffer Values(std::size_t count)
    {
        FloatBuffer values(count);
        std::generate_n(values.Data(), count, [this]() {
            return static_cast<float>(2.0 * m_stream.Uniform(m_next++) - 1.0);
        });
        return values;
    }

    std::size_t Integer(std::size_t least, std::size_t most)
    {
        return least + m_stream.Integer(m_next++, static_cast<std::uint32_t>(most - least + 1));
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_next{0};
};

/// A linear layer of random sizes, in one piece of memory as the engine has it.
struct LayerCase
{
    explicit LayerCase(std::uint32_t seed)
        : draw(seed),
          shape{draw.Integer(1, 15), draw.Integer(1, 70), draw.Integer(1, 30), 0}
    {
        shape.weightRow = shape.inputs + draw.Integer(0, 5);
        in = draw.Values(shape.count * shape.inputs);
        weight = draw.Values(shape.outputs * shape.weightRow);
        bias = draw.Values(shape.outputs);
    }

    std::vector<float> Score(const NativeKernels& kernels, std::size_t first, std::size_t count)
    {
        LogitShape part = shape;
        part.count = count;
        std::vector<float> out(count * shape.outputs);
        kernels.score(part,
                      in.Data() + first * shape.inputs,
                      weight.Data(),
                      bias.Data(),
                      out.data());
        return out;
    }

    ProductNumbers draw;
    LogitShape shape;
    FloatBuffer in;
    FloatBuffer weight;
    FloatBuffer bias;
};

TEST(ProductKernels, ScoreAsThePlainSumsDo)
{
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        LayerCase layer(seed);
        const LogitShape& shape = layer.shape;
        for (const SimdLevel level : SimdLevels())
        {
            const std::vector<float> out =
                layer.Score(NativeKernelsOf(level), 0, layer.shape.count);
            for (std::size_t i = 0; i < out.size(); ++i)
            {
                const float* x = layer.in.Data() + i / shape.outputs * shape.inputs;
                const float* w = layer.weight.Data() + i % shape.outputs * shape.weightRow;
                double expected = layer.bias.Data()[i % shape.outputs];
                for (std::size_t k = 0; k < shape.inputs; ++k)
                {
                    expected += static_cast<double>(x[k]) * static_cast<double>(w[k]);
                }
                ASSERT_NEAR(out[i], expected, 1e-5) << NameOf(level) << " " << seed;
            }
        }
    }
}

// The logits of an example do not depend on the others: the bound of a sum rests on it.
TEST(ProductKernels, ScoreAnExampleAloneAsAmongOthers)
{
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        LayerCase layer(seed);
        for (const SimdLevel level : SimdLevels())
        {
            const NativeKernels& kernels = NativeKernelsOf(level);
            const std::vector<float> all = layer.Score(kernels, 0, layer.shape.count);
            for (std::size_t i = 0; i < layer.shape.count; ++i)
            {
                const std::vector<float> alone = layer.Score(kernels, i, 1);
                const auto among = all.begin() + static_cast<long>(i * layer.shape.outputs);
                EXPECT_TRUE(std::equal(alone.begin(), alone.end(), among))
                    << NameOf(level) << " " << seed;
            }
        }
    }
}

/// Windows side by side, as examples are to a linear layer: all of them, or one alone.
TEST(ProductKernels, ConvolveAWindowAloneAsAmongOthers)
{
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        ProductNumbers draw(seed);
        const std::size_t count = draw.Integer(1, 40);
        const std::size_t size = draw.Integer(1, 40);
        const std::size_t channels = draw.Integer(1, 100);
        WindowGrid grid{1, size, size, 0, size, 1, count, 0, channels, channels};
        FloatBuffer in = draw.Values(count * size);
        FloatBuffer weight = draw.Values(size * PaddedChannels(channels));
        FloatBuffer bias = draw.Values(PaddedChannels(channels));
        for (const SimdLevel level : SimdLevels())
        {
            const NativeKernels& kernels = NativeKernelsOf(level);
            FloatBuffer all(count * channels);
            FloatBuffer alone(channels);
            grid.width = count;
            kernels.correlate(grid, in.Data(), weight.Data(), bias.Data(), all.Data());
            grid.width = 1;
            for (std::size_t i = 0; i < count; ++i)
            {
                kernels.correlate(grid,
                                  in.Data() + i * size,
                                  weight.Data(),
                                  bias.Data(),
                                  alone.Data());
                EXPECT_TRUE(
                    std::equal(alone.Data(), alone.Data() + channels, all.Data() + i * channels))
                    << NameOf(level) << " " << seed;
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
        left = draw.Values(shape.count * shape.rows);
        right = draw.Values(shape.count * shape.columns);
        const FloatBuffer drawn = draw.Values(shape.count);
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

    ProductNumbers draw;
    ProductShape shape;
    FloatBuffer left;
    FloatBuffer right;
    std::vector<double> factors;
};

TEST(ProductKernels, AddProductsInDoublePrecision)
{
    for (std::uint32_t seed = 0; seed < 200; ++seed)
    {
        const SumCase c(seed);
        const ProductShape& shape = c.shape;
        for (const SimdLevel level : SimdLevels())
        {
            std::vector<double> sum(shape.rows * shape.columns + 1, 3.0);
            ProductScratch scratch(shape.count, shape.rows);
            NativeKernelsOf(level).addProducts(shape,
                                               c.left.Data(),
                                               c.factors.data(),
                                               c.right.Data(),
                                               scratch.Memory(),
                                               sum.data());
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
                ASSERT_NEAR(sum[at], expected, 1e-13) << NameOf(level) << " " << seed;
            }
            EXPECT_EQ(sum.back(), 3.0);
        }
    }
}

TEST(ProductKernels, AddScaledRowsAndSquaresInDoublePrecision)
{
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        const SumCase c(seed);
        const std::size_t width = c.shape.columns;
        std::vector<double> factors = c.factors;
        FloatBuffer rows = ProductNumbers(seed + 1000).Values(c.shape.count * width);
        // What is left out may be infinite.
        factors[c.shape.count / 2] = 0.0;
        std::fill_n(rows.Data() + c.shape.count / 2 * width, width, INFINITY);
        for (const SimdLevel level : SimdLevels())
        {
            const NativeKernels& kernels = NativeKernelsOf(level);
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
                ASSERT_NEAR(sum[i], expected, 1e-13) << NameOf(level) << " " << seed;
                squares += std::pow(static_cast<double>(c.right.Data()[i]), 2);
            }
            EXPECT_EQ(sum.back(), 3.0);
            EXPECT_NEAR(kernels.squaredNorm(c.right.Data(), width), squares, 1e-13 * squares);
        }
    }
}

} // namespace
} // namespace dpdl
