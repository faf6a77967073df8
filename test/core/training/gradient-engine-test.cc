// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-runs.h"

namespace dpdl
{
namespace
{

TEST(GradientEngine, EnginesAgreeOnCnnS)
{
    ExpectEnginesAgree(MakeModel("cnn-s", IMAGE, 10), {0, 1, 7, 64, 200});
}

TEST(GradientEngine, EnginesAgreeOnSoftmaxRegression)
{
    ExpectEnginesAgree(MakeModel("softmax-regression", IMAGE, 10), {0, 1, 7, 64, 200});
}

TEST(GradientEngine, EnginesAgreeOnTheOtherModels)
{
    for (const std::string name : {"mlp", "mlp-1", "nn-2", "cnn-m", "cnn-xs"})
    {
        SCOPED_TRACE(name);
        ExpectEnginesAgree(MakeModel(name, IMAGE, 10), {1, 11});
    }
    ExpectEnginesAgree(MakeModel("cnn-c10", {3, 32, 32}, 10), {1, 11});
    ExpectEnginesAgree(MakeModel("mlp", {3, 9, 8}, 10), {0, 11});
    ExpectEnginesAgree(MakeModel("linear-regression", IMAGE, 1), {0, 1, 64});
}

TEST(GradientEngine, FlippedLabelsAreThoseOfTheMirroredSplit)
{
    const ModelSpec model = MakeModel("softmax-regression", IMAGE, 10);
    const auto images = MakeTestImages(IMAGE, 70, 1, 10);
    Split mirrored = images->train;
    for (double& label : mirrored.labels)
    {
        label = 9.0 - label;
    }
    const std::vector<float> z = InitialParameters(model, "default", {2, 1});
    const std::vector<std::uint32_t> examples = FirstExamples(70);
    for (const char* name : {"native", "libtorch", "libtorch-loop"})
    {
        const auto engine = MakeGradientEngine(name, model);
        std::vector<double> flipped(z.size());
        std::vector<double> expected(z.size());
        engine->ClippedGradientSum(z.data(),
                                   {&images->train, examples.data(), examples.size(), 10},
                                   1.0,
                                   flipped.data());
        engine->ClippedGradientSum(z.data(),
                                   {&mirrored, examples.data(), examples.size()},
                                   1.0,
                                   expected.data());
        EXPECT_EQ(flipped, expected) << name;
    }
}

TEST(GradientEngine, ARegressionCountsScoresNearTheirTargets)
{
    Split split;
    split.pixels = {255, 255, 255, 255};
    const double near = 7.5 / 127.5;
    split.labels = {-1.0, -near, near, 1.0};
    const ModelSpec model("constant", {1, 1, 1}, {Linear{1, 1}});
    for (const std::string engine : {"native", "libtorch"})
    {
        const std::vector<float> z{0.25F, -0.25F};
        const auto found = MakeGradientEngine(engine, model)->Evaluate(z.data(), split, 0, 4);
        EXPECT_EQ(found.correct, 2U);
        EXPECT_NEAR(found.lossSum, 1.0 + near * near, 1e-6);
    }
}

TEST(ClipFactor, NeverExceedsTheBound)
{
    EXPECT_EQ(ClipFactor(0.5, 1.0), 1.0);
    EXPECT_EQ(ClipFactor(0.0, 1.0), 1.0);
    EXPECT_DOUBLE_EQ(ClipFactor(4.0, 1.0), 0.25 * (1 - 1e-6));
    EXPECT_EQ(ClipFactor(1e300, NO_CLIP), 1.0);
    EXPECT_EQ(ClipFactor(std::nan(""), 1.0), 0.0);
    EXPECT_EQ(ClipFactor(NO_CLIP, 1.0), 0.0);
    EXPECT_LT(ClipFactor(1.0, 1.0), 1.0);
    EXPECT_GT(ClipFactor(1e37, 1.0), 0.0);
    EXPECT_EQ(ClipFactor(1e37, 0.1), 0.0);
}

TEST(GradientEngine, NamesAreChecked)
{
    EXPECT_THROW(MakeGradientEngine("natve", MakeModel("mlp", IMAGE, 10)), UsageError);
}

} // namespace
} // namespace dpdl
