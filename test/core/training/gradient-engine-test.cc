// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-runs.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{
namespace
{

/// A chain that has every layer in a place where no named model has it.
ModelSpec
OddModel()
{
    return {"odd",
            {3, 11, 9},
            {Conv2d{3, 5, 3, 1, 1},
             Relu{},
             Conv2d{5, 18, 2, 2, 1},
             MaxPool2d{3, 2},
             Relu{},
             Linear{72, 17},
             Relu{},
             Linear{17, 10}}};
}

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

TEST(GradientEngine, EnginesAgreeOnOtherChainsOfLayers)
{
    ExpectEnginesAgree(OddModel(), {1, 33});
}

TEST(GradientEngine, EnginesAgreeOnEvaluation)
{
    for (const ModelSpec& model : {MakeModel("cnn-s", IMAGE, 10), OddModel()})
    {
        const auto images = MakeTestImages(model.Shapes().front(), 1, 150);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        const auto native =
            MakeGradientEngine("native", model)->Evaluate(z.data(), images->test, 20, 101);
        const auto torch =
            MakeGradientEngine("libtorch", model)->Evaluate(z.data(), images->test, 20, 101);
        EXPECT_EQ(native.correct, torch.correct);
        EXPECT_EQ(native.size, 101U);
        EXPECT_NEAR(native.lossSum, torch.lossSum, 1e-5 * torch.lossSum);
    }
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

/// Sum of the losses of softmax regression, in double precision.
double
SoftmaxLossSum(const std::vector<double>& z, const Split& split, std::size_t count)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        double logits[10];
        double total = 0.0;
        for (std::size_t c = 0; c < 10; ++c)
        {
            logits[c] = z[7840 + c];
            for (std::size_t p = 0; p < 784; ++p)
            {
                logits[c] += z[c * 784 + p] * split.pixels[i * 784 + p] / 255.0;
            }
            total += std::exp(logits[c]);
        }
        sum += std::log(total) - logits[static_cast<std::size_t>(split.labels[i])];
    }
    return sum;
}

/// tanh(W x + b) of one of the three linear layers of mlp and mlp-1.
std::vector<double>
TanhLinear(const std::vector<float>& z, std::size_t layer, const std::vector<double>& x)
{
    const std::size_t offset = std::vector<std::size_t>{0, 7850, 16474}[layer - 1];
    std::vector<double> out;
    for (std::size_t o = 0; o < (layer == 2 ? 784 : 10); ++o)
    {
        const auto row = z.begin() + static_cast<std::ptrdiff_t>(offset + o * x.size());
        const double bias = z[offset + (layer == 2 ? 784 : 10) * x.size() + o];
        out.push_back(std::tanh(std::inner_product(x.begin(), x.end(), row, bias)));
    }
    return out;
}

std::vector<double>
Sum(std::vector<double> a, const std::vector<double>& b)
{
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<double>());
    return a;
}

// The forward passes as the models' descriptions write them.
TEST(GradientEngine, MlpAddsUpAsItsFormulaSays)
{
    const auto images = MakeTestImages(IMAGE, 5, 1);
    for (const std::string name : {"mlp", "mlp-1"})
    {
        const ModelSpec model = MakeModel(name, IMAGE, 10);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        double expected = 0.0;
        for (std::size_t i = 0; i < 5; ++i)
        {
            const std::uint8_t* pixels = images->train.pixels.data() + i * 784;
            std::vector<double> x(pixels, pixels + 784);
            std::for_each(x.begin(), x.end(), [](double& value) { value /= 255.0; });
            const auto h = TanhLinear(z, 1, x);
            const auto out = name == "mlp" ? TanhLinear(z, 3, Sum(x, TanhLinear(z, 2, h)))
                                           : Sum(h, TanhLinear(z, 3, TanhLinear(z, 2, h)));
            double total = 0.0;
            std::for_each(out.begin(), out.end(), [&](double score) { total += std::exp(score); });
            expected += std::log(total) - out[static_cast<std::size_t>(images->train.labels[i])];
        }
        const auto found =
            MakeGradientEngine("native", model)->Evaluate(z.data(), images->train, 0, 5);
        EXPECT_NEAR(found.lossSum, expected, 1e-5) << name;
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

TEST(GradientEngine, SoftmaxGradientIsTheSlopeOfTheLoss)
{
    const ModelSpec model = MakeModel("softmax-regression", IMAGE, 10);
    const auto images = MakeTestImages(IMAGE, 20, 1);
    const std::vector<float> z = InitialParameters(model, "default", {2, 1});
    const auto native = Compute("native", model, z, images->train, FirstExamples(20), NO_CLIP);
    std::vector<double> point(z.begin(), z.end());
    EXPECT_NEAR(native.result.lossSum, SoftmaxLossSum(point, images->train, 20), 1e-4);
    for (std::size_t i = 0; i < z.size(); i += 53)
    {
        const double step = 1e-5;
        point[i] = z[i] + step;
        const double above = SoftmaxLossSum(point, images->train, 20);
        point[i] = z[i] - step;
        const double below = SoftmaxLossSum(point, images->train, 20);
        point[i] = z[i];
        EXPECT_NEAR(native.sum[i], (above - below) / (2 * step), 2e-5) << i;
    }
}

// The law that privacy rests on: one example more or less moves the sum by at most the clip bound.
TEST(GradientEngine, OneExampleMovesTheSumByAtMostTheClip)
{
    for (const ModelSpec& model : {MakeModel("cnn-s", IMAGE, 10), OddModel()})
    {
        const auto images = MakeTestImages(model.Shapes().front(), 50, 1);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        for (const double clip : {1e-3, 0.1, 1.0})
        {
            for (std::uint32_t example = 0; example < 50; ++example)
            {
                const auto one = Compute("native", model, z, images->train, {example}, clip);
                EXPECT_LE(Norm(one.sum), clip);
                const double expected = std::min(clip * (1 - 1e-6), one.result.normSum);
                EXPECT_NEAR(Norm(one.sum), expected, 1e-6 * expected);
            }
        }
    }
}

TEST(GradientEngine, TheOrderOfTheBatchDoesNotMatter)
{
    const ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    const auto images = MakeTestImages(IMAGE, 100, 1);
    const std::vector<float> z = InitialParameters(model, "default", {2, 1});
    auto examples = FirstExamples(100);
    const auto forwards = Compute("native", model, z, images->train, examples, 0.5);
    std::reverse(examples.begin(), examples.end());
    const auto backwards = Compute("native", model, z, images->train, examples, 0.5);
    EXPECT_LE(Distance(forwards.sum, backwards.sum), 1e-5 * Norm(forwards.sum));
}

TEST(GradientEngine, SurvivesParametersThatAreNotFinite)
{
    const ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    const auto images = MakeTestImages(IMAGE, 20, 1);
    const std::vector<float> start = InitialParameters(model, "default", {2, 1});
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38F})
    {
        for (const std::size_t position : {0U, 1030U, 5000U, 20000U, 26009U})
        {
            std::vector<float> z = start;
            z[position] = bad;
            const auto clipped = Compute("native", model, z, images->train, FirstExamples(20), 1.0);
            EXPECT_LE(Norm(clipped.sum), 20.0) << position;
            Compute("native", model, z, images->train, FirstExamples(20), NO_CLIP);
        }
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
    EXPECT_THROW(MakeGradientEngine("natve", OddModel()), UsageError);
}

} // namespace
} // namespace dpdl
