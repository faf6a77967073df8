// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/layer.h"
#include "gradient-runs.h"
#include "random-chain.h"
#include "reference-network.h"

#include <algorithm>
#include <map>

namespace dpdl
{
namespace
{

constexpr std::uint32_t CHAINS = 60;

std::shared_ptr<Dataset>
ImagesFor(const ModelSpec& model, std::size_t count)
{
    return MakeTestImages(model.Shapes().front(),
                          count,
                          1,
                          static_cast<std::uint32_t>(model.Classes()));
}

/// One small model for each kind of layer, each in front of and behind parameters.
std::vector<ModelSpec>
TinyModels()
{
    const ImageShape image{2, 5, 4};
    return {
        {"linear", image, {Linear{40, 5}, Linear{5, 10}}},
        {"conv", image, {Conv2d{2, 3, 2, 1, 0}, Conv2d{3, 2, 3, 2, 1}, Linear{8, 10}}},
        {"relu", image, {Relu{}, Linear{40, 6}, Relu{}, Linear{6, 10}}},
        {"tanh", image, {Tanh{}, Linear{40, 6}, Tanh{}, Linear{6, 10}, Tanh{}}},
        {"pool", image, {Conv2d{2, 3, 2, 1, 0}, MaxPool2d{2, 1}, Linear{18, 10}}},
        {"relu-pool", image, {Conv2d{2, 3, 2, 1, 0}, Relu{}, MaxPool2d{2, 1}, Linear{18, 10}}},
        {"flatten", image, {Conv2d{2, 3, 2, 1, 0}, Flatten{}, Tanh{}, Linear{36, 10}}},
        {"residual",
         image,
         {Conv2d{2, 3, 3, 1, 1}, Tanh{}, Conv2d{3, 3, 3, 1, 1}, Residual{2}, Linear{60, 10}}},
        {"residual-of-image", image, {Conv2d{2, 2, 3, 1, 1}, Tanh{}, Residual{2}, Linear{40, 10}}},
        {"residual-into-pool",
         image,
         {Conv2d{2, 3, 2, 1, 0}, Relu{}, MaxPool2d{1, 1}, Residual{1}, Linear{36, 10}}},
        {"nested",
         image,
         {Linear{40, 7},
          Linear{7, 7},
          Tanh{},
          Residual{2},
          Residual{3},
          Residual{1},
          Linear{7, 10}}},
        {"regression", image, {Linear{40, 3}, Tanh{}, Linear{3, 1}}},
    };
}

TEST(Layer, GradientIsTheSlopeOfTheLoss)
{
    for (const ModelSpec& model : TinyModels())
    {
        const auto images = ImagesFor(model, 11);
        const std::vector<float> z = InitialParameters(model, "default", {3, 1});
        const std::vector<float> slope = ReferenceSlope(model, z, images->train, 11);
        for (const std::string engine : {"native", "libtorch"})
        {
            const auto found = Compute(engine, model, z, images->train, FirstExamples(11), NO_CLIP);
            EXPECT_LE(Distance(found.sum, slope), 1e-5 * Norm(slope)) << engine << model.Name();
            const double loss = ReferenceLoss(model, {z.begin(), z.end()}, images->train, 11);
            EXPECT_NEAR(found.result.lossSum, loss, 1e-6 * loss) << engine << model.Name();
        }
    }
}

TEST(Layer, EnginesAgreeOnRandomChains)
{
    std::map<std::size_t, unsigned> kinds;
    for (std::uint32_t seed = 0; seed < CHAINS; ++seed)
    {
        const ModelSpec model = RandomChain(seed).Make();
        SCOPED_TRACE(model.Name());
        ExpectEnginesAgree(model, {0, 1, 19});
        for (const Layer& layer : model.Layers())
        {
            ++kinds[layer.index()];
        }
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<Layer>);
}

TEST(Layer, EnginesAgreeOnScoresOfRandomChains)
{
    for (std::uint32_t seed = 0; seed < CHAINS; ++seed)
    {
        const ModelSpec model = RandomChain(seed).Make();
        const auto images = ImagesFor(model, 30);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        const auto native =
            MakeGradientEngine("native", model)->Evaluate(z.data(), images->train, 3, 20);
        const auto torch =
            MakeGradientEngine("libtorch", model)->Evaluate(z.data(), images->train, 3, 20);
        EXPECT_EQ(native.correct, torch.correct) << model.Name();
        EXPECT_NEAR(native.lossSum, torch.lossSum, 1e-5 * torch.lossSum) << model.Name();
    }
}

// The law that privacy rests on: one example more or less moves the sum by at most the clip bound.
TEST(Layer, NoExampleExceedsTheClip)
{
    for (std::uint32_t seed = 0; seed <= CHAINS; ++seed)
    {
        const ModelSpec model =
            seed == CHAINS ? MakeModel("cnn-s", {1, 28, 28}, 10) : RandomChain(seed).Make();
        const auto images = ImagesFor(model, 9);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        for (const double clip : {1e-3, 0.1, 1.0})
        {
            for (const std::uint32_t example : FirstExamples(9))
            {
                const auto one = Compute("native", model, z, images->train, {example}, clip);
                const double expected = std::min(clip * (1 - 1e-6), one.result.normSum);
                EXPECT_LE(Norm(one.sum), clip) << model.Name();
                EXPECT_NEAR(Norm(one.sum), expected, 1e-6 * expected) << model.Name();
            }
        }
    }
}

TEST(Layer, ParametersThatAreNotFiniteAddNothing)
{
    const float huge = 3e38F;
    for (std::uint32_t seed = 0; seed < CHAINS / 4; ++seed)
    {
        const ModelSpec model = RandomChain(seed).Make();
        const auto images = ImagesFor(model, 10);
        const std::vector<float> start = InitialParameters(model, "default", {2, 1});
        for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity(), huge})
        {
            for (const ParameterTensor& tensor : model.Parameters())
            {
                std::vector<float> z = start;
                z[tensor.offset] = bad;
                for (const std::string engine : {"native", "libtorch"})
                {
                    const auto found =
                        Compute(engine, model, z, images->train, FirstExamples(10), 1.0);
                    Compute(engine, model, z, images->train, FirstExamples(10), NO_CLIP);
                    EXPECT_LE(Norm(found.sum), 10.0) << engine << model.Name() << tensor.name;
                }
            }
        }
    }
}

TEST(Layer, ResidualBlocksNeedTheSameShapeAtBothEnds)
{
    const ImageShape image{1, 4, 4};
    EXPECT_THROW(ModelSpec("m", image, {Linear{16, 10}, Residual{1}}), UsageError);
    EXPECT_THROW(ModelSpec("m", image, {Linear{16, 16}, Residual{1}, Linear{16, 10}}), UsageError);
    EXPECT_THROW(ModelSpec("m", image, {Linear{16, 10}, Tanh{}, Residual{0}}), UsageError);
    EXPECT_THROW(ModelSpec("m", image, {Linear{16, 10}, Tanh{}, Residual{3}}), UsageError);
    EXPECT_NO_THROW(ModelSpec("m", image, {Linear{16, 10}, Tanh{}, Residual{1}}));
    EXPECT_NO_THROW(
        ModelSpec("m", image, {Flatten{}, Linear{16, 16}, Residual{1}, Linear{16, 10}}));
}

} // namespace
} // namespace dpdl
