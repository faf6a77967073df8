// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/torch-model.h"
#include "gradient-runs.h"

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

namespace dpdl
{
namespace
{

constexpr ImageShape SMALL_IMAGE{1, 6, 5};

/// What softmax-regression is, with a dropout that must not do anything.
class OneLayer : public TorchModule
{
  public:
    OneLayer(ImageShape image, std::uint32_t classes)
    {
        const auto pixels = static_cast<std::int64_t>(image.Size());
        m_linear = register_module("fc", torch::nn::Linear(pixels, classes));
        m_dropout = register_module("dropout", torch::nn::Dropout(0.5));
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        return m_linear(m_dropout(images.flatten(1)));
    }

  private:
    torch::nn::Linear m_linear{nullptr};
    torch::nn::Dropout m_dropout{nullptr};
};

/// A module that keeps statistics beside its parameters.
class WithBuffers : public TorchModule
{
  public:
    WithBuffers(ImageShape image, std::uint32_t /* classes */)
    {
        register_module("norm", torch::nn::BatchNorm2d(image.channels));
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        return images;
    }
};

/// A module that takes no image of the given size.
class ForOtherImages : public TorchModule
{
  public:
    ForOtherImages(ImageShape /* image */, std::uint32_t classes)
        : m_linear(register_module("fc", torch::nn::Linear(7, classes)))
    {
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        return m_linear(images.flatten(1));
    }

  private:
    torch::nn::Linear m_linear;
};

template <typename Module>
ModelSpec
Make()
{
    return MakeTorchModel("of-a-user",
                          SMALL_IMAGE,
                          10,
                          [](ImageShape image, std::uint32_t classes) {
                              return std::make_shared<Module>(image, classes);
                          });
}

TEST(TorchModule, LearnsAsTheSameChainOfLayers)
{
    const ModelSpec module = Make<OneLayer>();
    const ModelSpec chain = MakeModel("softmax-regression", SMALL_IMAGE, 10);
    EXPECT_EQ(ResolveEngine("auto", module), "libtorch-loop");
    EXPECT_EQ(ResolveEngine("libtorch", module), "libtorch-loop");
    EXPECT_EQ(module.ParameterCount(), chain.ParameterCount());
    const std::vector<float> z = InitialParameters(module, "default", {2, 1});
    EXPECT_EQ(z, InitialParameters(chain, "default", {2, 1}));
    const auto images = MakeTestImages(SMALL_IMAGE, 30, 30);
    const auto own = Compute("auto", module, z, images->train, FirstExamples(30), 0.5);
    const auto native = Compute("native", chain, z, images->train, FirstExamples(30), 0.5);
    EXPECT_LE(Distance(own.sum, native.sum), 1e-5 * Norm(native.sum));
    EXPECT_EQ(own.result.clipped, native.result.clipped);
    const auto ownScore =
        MakeGradientEngine("auto", module)->Evaluate(z.data(), images->test, 0, 30);
    const auto score = MakeGradientEngine("native", chain)->Evaluate(z.data(), images->test, 0, 30);
    EXPECT_EQ(ownScore.correct, score.correct);
    EXPECT_NEAR(ownScore.lossSum, score.lossSum, 1e-5 * score.lossSum);
}

TEST(TorchModule, IsRefusedIfItCannotBeLearnt)
{
    EXPECT_THROW(Make<WithBuffers>(), UsageError);
    EXPECT_THROW(Make<ForOtherImages>(), UsageError);
    const ModelSpec model = Make<OneLayer>();
    EXPECT_THROW(MakeGradientEngine("native", model), UsageError);
}

TEST(TorchModule, IsEnteredByOneLine)
{
    RegisterTorchModel<OneLayer>("one-layer", "for a test");
    EXPECT_EQ(MakeModel("one-layer", SMALL_IMAGE, 3).ParameterCount(), 3U * 31U);
    EXPECT_THROW(RegisterTorchModel<OneLayer>("one-layer", "again"), UsageError);
}

} // namespace
} // namespace dpdl
