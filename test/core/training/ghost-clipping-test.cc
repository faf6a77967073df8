// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The engines that clip a batch in one pass against the one that goes back for each example. That
// of a CUDA device is given the tensors of the host here.

#include "gradient-runs.h"
#include "torch-function.h"
#include "torch-parts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/relu.h>
#include <algorithm>

namespace dpdl
{
namespace
{

/// Logits as a lambda says.
class LambdaFunction : public RecordedFunction
{
  public:
    using Function = std::function<at::Tensor(Tape&, const at::Tensor&)>;

    explicit LambdaFunction(Function forward)
        : m_forward(std::move(forward))
    {
    }

    at::Tensor Forward(Tape& tape, const at::Tensor& images) const override
    {
        return m_forward(tape, images);
    }

  private:
    Function m_forward;
};

ModelSpec
MakeSpec(ImageShape shape, const ParameterList& list, LambdaFunction::Function forward)
{
    return {"test",
            shape,
            10,
            list.Tensors(),
            std::make_shared<LambdaFunction>(std::move(forward))};
}

/// A start at which no parameter is at a special value.
std::vector<float>
Start(const ModelSpec& model)
{
    std::vector<float> z = InitialParameters(model, "default", {5, 1});
    RandomStream({5, 2}, RandomPurpose::TEST, 0, 0).AddNormal(z.data(), z.size(), 0.05F);
    return z;
}

/// What a CUDA device computes, on the host.
const TorchPlace TENSORS{at::kCPU, at::kCPU, false};

Gradient
ComputeWithTensors(const ModelSpec& model,
                   const std::vector<float>& z,
                   const Split& split,
                   const std::vector<std::uint32_t>& examples,
                   double clip)
{
    return Compute(*MakeTensorClippingEngine(model, TENSORS), z, split, examples, clip);
}

void
ExpectEqualToTheLoop(const ModelSpec& model, const std::vector<std::size_t>& sizes)
{
    const auto images = MakeTestImages(model.Shapes().front(), 40, 1);
    const std::vector<float> z = Start(model);
    for (const std::size_t size : sizes)
    {
        const auto examples = FirstExamples(size);
        const auto free = Compute("libtorch-loop", model, z, images->train, examples, NO_CLIP);
        const double mean =
            free.result.normSum / static_cast<double>(std::max<std::size_t>(size, 1));
        for (const double clip : {NO_CLIP, 0.97 * mean + 1e-3, 0.01})
        {
            const auto loop = Compute("libtorch-loop", model, z, images->train, examples, clip);
            const auto book = Compute("libtorch", model, z, images->train, examples, clip);
            const auto tensors = ComputeWithTensors(model, z, images->train, examples, clip);
            for (const Gradient& found : {book, tensors})
            {
                EXPECT_LE(Distance(found.sum, loop.sum), 1e-5 * Norm(loop.sum))
                    << size << " " << clip;
                EXPECT_NEAR(found.result.normSum, loop.result.normSum, 1e-5 * loop.result.normSum);
                EXPECT_NEAR(found.result.lossSum, loop.result.lossSum, 1e-5 * loop.result.lossSum);
                EXPECT_EQ(found.result.clipped, loop.result.clipped);
                EXPECT_EQ(found.result.size, size);
            }
        }
    }
}

/// Draws small numbers.
class Dice
{
  public:
    explicit Dice(std::uint32_t game)
        : m_stream({9, game}, RandomPurpose::TEST, 0, 0)
    {
    }

    std::uint32_t From(std::uint32_t smallest, std::uint32_t largest)
    {
        return smallest + m_stream.Integer(m_draw++, largest - smallest + 1);
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_draw{0};
};

TEST(GhostClipping, EqualsTheLoopOnConvolutionsInGroupsWithWindowsOfAnyShape)
{
    for (std::uint32_t game = 0; game < 12; ++game)
    {
        Dice dice(200 + game);
        const std::uint32_t groups = dice.From(1, 3);
        const ImageShape shape{groups * dice.From(1, 2), dice.From(6, 9), dice.From(6, 9)};
        const std::uint32_t inner = groups * dice.From(1, 4);
        ParameterList list;
        ConvOp first = list.Conv("a",
                                 {inner, shape.channels / groups, dice.From(1, 3), dice.From(1, 3)},
                                 1,
                                 0,
                                 dice.From(0, 1) == 1);
        first.groups = groups;
        first.stride = {dice.From(1, 2), dice.From(1, 2)};
        first.padding = {dice.From(0, 2), dice.From(0, 2)};
        const ConvOp second = list.Conv("b", {10, inner, 2, 1}, 1, 0, true);
        const auto forward = [=](Tape& tape, const at::Tensor& images) {
            const at::Tensor x = at::relu(tape.Apply(first, images));
            return tape.Apply(second, x).mean({2, 3});
        };
        ExpectEqualToTheLoop(MakeSpec(shape, list, forward), {1, 5});
    }
}

TEST(GhostClipping, EqualsTheLoopOnLinearLayersAtAnyNumberOfPositions)
{
    for (std::uint32_t game = 0; game < 12; ++game)
    {
        Dice dice(100 + game);
        const ImageShape shape{1, dice.From(1, 30), dice.From(2, 30)};
        const std::uint32_t inner = dice.From(2, 50);
        ParameterList list;
        const LinearOp first = list.Linear("a", shape.width, inner);
        const LayerNormOp norm = list.LayerNorm("n", inner);
        const LinearOp second = list.Linear("b", inner, 10);
        const auto forward = [=](Tape& tape, const at::Tensor& images) {
            const at::Tensor x = tape.Apply(norm, tape.Apply(first, images.squeeze(1)));
            return tape.Apply(second, x).mean(1);
        };
        ExpectEqualToTheLoop(MakeSpec(shape, list, forward), {1, 5});
    }
}

TEST(GhostClipping, EqualsTheLoopOnNormalisationsAndFreeTensors)
{
    for (std::uint32_t game = 0; game < 8; ++game)
    {
        Dice dice(200 + game);
        const std::uint32_t groups = dice.From(1, 4);
        const std::uint32_t channels = groups * dice.From(1, 4);
        const ImageShape shape{1, dice.From(3, 9), dice.From(3, 9)};
        ParameterList list;
        const ParameterOp raster =
            list.Free("r", {1, shape.height, shape.width}, Initialisation::SMALL_NORMAL);
        const ConvOp conv = list.Conv("a", {channels, 1, 3, 3}, 1, 1, true);
        const GroupNormOp norm = list.GroupNorm("n", channels, groups);
        const LinearOp last = list.Linear("b", channels, 10);
        const auto forward = [=](Tape& tape, const at::Tensor& images) {
            const at::Tensor x = images + tape.Apply(raster, images.size(0));
            const at::Tensor y = at::relu(tape.Apply(norm, tape.Apply(conv, x)));
            return tape.Apply(last, y.mean({2, 3}));
        };
        ExpectEqualToTheLoop(MakeSpec(shape, list, forward), {1, 5});
    }
}

TEST(GhostClipping, EqualsTheLoopOnAResNet)
{
    ExpectEqualToTheLoop(MakeModel("resnet-18", {1, 8, 8}, 10), {0, 3});
}

TEST(GhostClipping, EqualsTheLoopOnAVisionTransformer)
{
    // More than one pass holds, and a number of tokens at which norms are ghosts.
    ExpectEqualToTheLoop(MakeVit("tiny", {4, 2, 2, 16, 24}, {1, 8, 8}, 10), {0, 1, 33});
    ExpectEqualToTheLoop(MakeVit("tiny", {2, 1, 2, 8, 12}, {3, 16, 16}, 10), {5});
}

// Chains of layers too: LibTorch on a device takes all models that native engines have.
TEST(GhostClipping, EqualsTheLoopOnChainsOfLayers)
{
    for (const std::string name : {"softmax-regression", "mlp", "cnn-s", "cnn-m"})
    {
        ExpectEqualToTheLoop(MakeModel(name, {1, 28, 28}, 10), {0, 3});
    }
}

// More examples than a block of the sum has, and evaluation.
TEST(GhostClipping, TensorsGiveLongSumsAndScoresAsTheHostDoes)
{
    const ModelSpec model = MakeVit("tiny", {4, 2, 2, 16, 24}, {1, 8, 8}, 10);
    const auto images = MakeTestImages({1, 8, 8}, 300, 70);
    const std::vector<float> z = Start(model);
    const auto host = Compute("libtorch", model, z, images->train, FirstExamples(300), 0.1);
    const auto tensors = ComputeWithTensors(model, z, images->train, FirstExamples(300), 0.1);
    EXPECT_LE(Distance(tensors.sum, host.sum), 1e-6 * Norm(host.sum));
    const Evaluation scores =
        MakeGradientEngine("libtorch", model)->Evaluate(z.data(), images->test, 3, 67);
    const Evaluation others =
        MakeTensorClippingEngine(model, TENSORS)->Evaluate(z.data(), images->test, 3, 67);
    EXPECT_EQ(others.correct, scores.correct);
    EXPECT_NEAR(others.lossSum, scores.lossSum, 1e-5 * scores.lossSum);
}

// The law that privacy rests on: one example moves the sum by at most the clip bound.
TEST(GhostClipping, OneExampleMovesTheSumByAtMostTheClip)
{
    for (const ModelSpec& model :
         {MakeVit("tiny", {4, 2, 2, 16, 24}, {1, 8, 8}, 10), MakeModel("resnet-18", {1, 8, 8}, 10)})
    {
        const auto images = MakeTestImages({1, 8, 8}, 4, 1);
        const std::vector<float> z = Start(model);
        for (const double clip : {1e-3, 0.1, 1.0})
        {
            for (std::uint32_t example = 0; example < 4; ++example)
            {
                for (const Gradient& one :
                     {Compute("libtorch", model, z, images->train, {example}, clip),
                      ComputeWithTensors(model, z, images->train, {example}, clip)})
                {
                    EXPECT_LE(Norm(one.sum), clip);
                    const double expected = std::min(clip * (1 - 1e-6), one.result.normSum);
                    EXPECT_NEAR(Norm(one.sum), expected, 1e-6 * expected);
                }
            }
        }
    }
}

// Two tokens that are nearly equal, and whose gradients are opposite: the squared norm is a
// difference of numbers 10^8 to 10^13 times its size.
TEST(GhostClipping, AnExampleWhoseTermsCancelStaysWithinTheClip)
{
    for (const double shift : {1e-4, 1e-6, 3e-7})
    {
        ParameterList list;
        const LinearOp linear = list.Linear("a", 9, 10);
        const auto forward = [linear, shift](Tape& tape, const at::Tensor& images) {
            const at::Tensor x = images.flatten(1).unsqueeze(1);
            const at::Tensor y = tape.Apply(linear, at::cat({x, x * (1.0 + shift)}, 1));
            return (y.select(1, 0) - y.select(1, 1)) / shift;
        };
        const ModelSpec model = MakeSpec({1, 3, 3}, list, forward);
        const auto images = MakeTestImages({1, 3, 3}, 50, 1);
        const std::vector<float> z = Start(model);
        for (std::uint32_t example = 0; example < 50; ++example)
        {
            for (const Gradient& one :
                 {Compute("libtorch", model, z, images->train, {example}, 0.01),
                  ComputeWithTensors(model, z, images->train, {example}, 0.01)})
            {
                EXPECT_LE(Norm(one.sum), 0.01) << shift << " " << example;
                EXPECT_GT(Norm(one.sum), 0.0);
            }
        }
    }
}

TEST(GhostClipping, GivesTheSameBitsAgain)
{
    const ModelSpec model = MakeVit("tiny", {4, 2, 2, 16, 24}, {1, 8, 8}, 10);
    const auto images = MakeTestImages({1, 8, 8}, 20, 1);
    const std::vector<float> z = Start(model);
    const auto first = Compute("libtorch", model, z, images->train, FirstExamples(20), 0.5);
    const auto second = Compute("libtorch", model, z, images->train, FirstExamples(20), 0.5);
    EXPECT_EQ(first.sum, second.sum);
}

/// A linear layer of images relative to their largest value: a black image gives zero by zero.
ModelSpec
RelativeModel()
{
    ParameterList list;
    const LinearOp linear = list.Linear("a", 4, 10);
    const auto forward = [linear](Tape& tape, const at::Tensor& images) {
        return tape.Apply(linear, images.flatten(1) / images.amax({1, 2, 3}).unsqueeze(1));
    };
    return MakeSpec({1, 2, 2}, list, forward);
}

// One example whose gradient overflows must not spoil the others', and adds nothing itself.
TEST(GhostClipping, LeavesOutExamplesWithoutAFiniteGradient)
{
    const ModelSpec model = RelativeModel();
    const auto images = MakeTestImages({1, 2, 2}, 20, 1);
    for (std::size_t i = 0; i < images->train.pixels.size(); ++i)
    {
        // Examples 3 and 7 are black: zero divided by zero.
        const bool black = i / 4 == 3 || i / 4 == 7;
        images->train.pixels[i] = black ? 0 : static_cast<std::uint8_t>(1 + i % 200);
    }
    const std::vector<float> z = Start(model);
    std::vector<std::uint32_t> finite = FirstExamples(20);
    finite.erase(finite.begin() + 7);
    finite.erase(finite.begin() + 3);
    const auto rest = Compute("libtorch", model, z, images->train, finite, 0.1);
    for (const Gradient& all :
         {Compute("libtorch", model, z, images->train, FirstExamples(20), 0.1),
          ComputeWithTensors(model, z, images->train, FirstExamples(20), 0.1)})
    {
        EXPECT_EQ(all.result.size, 20U);
        EXPECT_EQ(all.result.clipped, rest.result.clipped + 2);
        EXPECT_TRUE(std::isnan(all.result.normSum));
        EXPECT_LE(Distance(all.sum, rest.sum), 1e-6 * Norm(rest.sum));
    }
    const auto none = Compute("libtorch", model, z, images->train, {3, 7}, 0.1);
    EXPECT_EQ(none.sum, std::vector<double>(z.size(), 0.0));
}

TEST(GhostClipping, FlipsTheLabelsOfThoseThatAreLeft)
{
    const ModelSpec model = RelativeModel();
    Split split = MakeTestImages({1, 2, 2}, 20, 1)->train;
    std::fill_n(split.pixels.begin(), 4, std::uint8_t{0}); // zero divided by zero
    std::fill(split.pixels.begin() + 4, split.pixels.end(), std::uint8_t{100});
    Split mirrored = split;
    for (double& label : mirrored.labels)
    {
        label = 9.0 - label;
    }
    const std::vector<float> z = Start(model);
    const std::vector<std::uint32_t> examples = FirstExamples(20);
    const auto engine = MakeGradientEngine("libtorch", model);
    std::vector<double> flipped(z.size());
    std::vector<double> expected(z.size());
    engine->ClippedGradientSum(z.data(), {&split, examples.data(), 20, 10}, 1.0, flipped.data());
    engine->ClippedGradientSum(z.data(), {&mirrored, examples.data(), 20}, 1.0, expected.data());
    EXPECT_EQ(flipped, expected);
    engine->ClippedGradientSum(z.data(), {&split, examples.data(), 20}, 1.0, expected.data());
    EXPECT_NE(flipped, expected);
}

} // namespace
} // namespace dpdl
