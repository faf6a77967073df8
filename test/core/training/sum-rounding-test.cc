// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "gradient-runs.h"

namespace dpdl
{
namespace
{

TEST(SumRounding, IsNothingUpToTheSizesOfCommonDatasets)
{
    for (const std::size_t n : {0U, 1U, 128U, 60000U, 500000U, 600000U})
    {
        EXPECT_EQ(SumRounding(n), 0.0) << n;
    }
    EXPECT_GT(SumRounding(700000), 0.0);
    const double n = 1e6;
    EXPECT_NEAR(SumRounding(1000000), 2.0 * n * (128.0 + n / 128.0) * 0x1p-53 - 8e-7, 1e-15);
    EXPECT_LT(SumRounding(1000000), 1e-6);
}

TEST(SumRounding, OfADeviceHoldsForSmallBatchesOnly)
{
    EXPECT_EQ(DeviceSumRounding(0), 0.0);
    EXPECT_EQ(DeviceSumRounding(64), 2.0 * 64.0 * 64.0 * 0x1p-24);
    EXPECT_LT(DeviceSumRounding(128), 0.002);
    EXPECT_EQ(DeviceSumRounding(129), std::numeric_limits<double>::infinity());
}

/// The examples that a node owns, and what dropping one of them does to the sum of all.
class LargeSum
{
  public:
    LargeSum(const std::string& engine, std::size_t examples)
        : m_data(LoadDataset("linear-regression", "", examples, 1)),
          m_model(MakeModel("linear-regression", m_data->shape, m_data->classes)),
          m_z(m_model.ParameterCount(), 0.0F),
          m_engine(MakeGradientEngine(engine, m_model)),
          m_sum(Sum(FirstExamples(examples)))
    {
    }

    double Move(std::size_t dropped)
    {
        std::vector<std::uint32_t> rest = FirstExamples(m_data->train.Size());
        rest.erase(rest.begin() + static_cast<long>(dropped));
        return Distance(m_sum, Sum(rest));
    }

    static constexpr double CLIP = 0.01;

  private:
    std::vector<double> Sum(const std::vector<std::uint32_t>& examples)
    {
        std::vector<double> sum(m_z.size());
        m_engine->ClippedGradientSum(m_z.data(),
                                     {&m_data->train, examples.data(), examples.size()},
                                     CLIP,
                                     sum.data());
        return sum;
    }

    std::shared_ptr<const Dataset> m_data;
    ModelSpec m_model;
    std::vector<float> m_z;
    std::unique_ptr<GradientEngine> m_engine;
    std::vector<double> m_sum;
};

/// How many examples an engine adds up, and how many of them are dropped one after another.
struct DropCase
{
    std::string engine;
    std::size_t examples;
    std::size_t drops;
};

class DroppedExample : public testing::TestWithParam<DropCase>
{
};

// In float32 the sum of 60 000 gradients moved by up to 1.0012 C.
TEST_P(DroppedExample, MovesTheSumByAtMostTheClip)
{
    const DropCase& drop = GetParam();
    LargeSum sum(drop.engine, drop.examples);
    for (std::size_t k = 0; k < drop.drops; ++k)
    {
        const double move = sum.Move((2 * k + 1) * drop.examples / (2 * drop.drops));
        EXPECT_LE(move, LargeSum::CLIP * (1.0 + SumRounding(drop.examples))) << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Few,
                         DroppedExample,
                         testing::Values(DropCase{"native", 60000, 8},
                                         DropCase{"libtorch", 3000, 1},
                                         DropCase{"libtorch-loop", 3000, 1}));
INSTANTIATE_TEST_SUITE_P(Others,
                         DroppedExample,
                         testing::Values(DropCase{"native", 60000, 40},
                                         DropCase{"libtorch", 3000, 3},
                                         DropCase{"libtorch-loop", 3000, 3}));

// The rule that adds gradients one by one also keeps two levels.
TEST(SumRounding, HoldsForEveryClipRule)
{
    constexpr std::size_t EXAMPLES = 3000;
    const ModelSpec model = MakeModel("softmax-regression", {1, 6, 6}, 10);
    const auto images = MakeTestImages({1, 6, 6}, EXAMPLES, 1);
    const std::vector<float> z = InitialParameters(model, "default", {2, 1});
    const auto engine = MakeGradientEngine("native", model);
    std::vector<float> scratch(z.size());
    for (const ClipNorm norm : {ClipNorm::L1, ClipNorm::L2})
    {
        const ClipRule rule{0.01, norm, norm == ClipNorm::L2};
        const auto sum = [&](const std::vector<std::uint32_t>& examples) {
            std::vector<double> total(z.size());
            ClippedSum(*engine,
                       model,
                       z.data(),
                       {&images->train, examples.data(), examples.size()},
                       rule,
                       scratch.data(),
                       total.data());
            return total;
        };
        const std::vector<double> all = sum(FirstExamples(EXAMPLES));
        for (std::size_t k = 0; k < 5; ++k)
        {
            std::vector<std::uint32_t> rest = FirstExamples(EXAMPLES);
            rest.erase(rest.begin() + static_cast<long>(k * EXAMPLES / 5));
            std::vector<double> some = sum(rest);
            double move = 0.0;
            for (std::size_t i = 0; i < some.size(); ++i)
            {
                const double difference = std::abs(all[i] - some[i]);
                move += norm == ClipNorm::L1 ? difference : difference * difference;
            }
            // Two tensors have the bound each.
            EXPECT_LE(norm == ClipNorm::L1 ? move : std::sqrt(move / 2.0), rule.bound);
        }
    }
}

} // namespace
} // namespace dpdl
