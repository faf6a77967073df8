// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gradient-runs.h"

#include <algorithm>
#include <string_view>

namespace dpdl
{
namespace
{

constexpr ImageShape GREY{1, 28, 28};
constexpr ImageShape COLOUR{3, 32, 32};

const ParameterTensor&
Tensor(const ModelSpec& model, std::string_view name)
{
    const auto& tensors = model.Parameters();
    return *std::find_if(tensors.begin(), tensors.end(), [&](const ParameterTensor& tensor) {
        return tensor.name == name;
    });
}

TEST(TorchModels, VitHasThePublishedNumbersOfParameters)
{
    // Zhou et al., arXiv:2602.11544: what PartPSP-1 and PartPSP-2 share, and the whole.
    const ModelSpec model = MakeModel("vit-s", COLOUR, 10);
    EXPECT_EQ(model.PartEnd(1), 6400U);
    EXPECT_EQ(model.PartEnd(2), 1334400U);
    EXPECT_EQ(model.ParameterCount(), 1335690U);
    EXPECT_EQ(model.Parts(), 3U);
    // 50 tokens instead of 65, 16 pixels in a patch instead of 48.
    EXPECT_EQ(MakeModel("vit-s", GREY, 10).ParameterCount(), 1335690U - 15 * 128 - 32 * 128);
}

TEST(TorchModels, ResNetOfImageNetHasThePublishedNumbersOfParameters)
{
    // The same source; grey images enter as three channels, so that both sizes have these.
    for (const ImageShape& shape : {GREY, COLOUR})
    {
        const ModelSpec model = MakeModel("resnet-18-imagenet", shape, 10);
        EXPECT_EQ(model.PartEnd(1), 157504U);
        EXPECT_EQ(model.PartEnd(2), 683072U);
        EXPECT_EQ(model.ParameterCount(), 11181642U);
        EXPECT_EQ(model.Parts(), 5U);
    }
}

TEST(TorchModels, ResNetOfSmallImagesDiffersByItsFirstConvolution)
{
    for (const std::string name : {"resnet-18", "resnet-18-bn"})
    {
        const ModelSpec colour = MakeModel(name, COLOUR, 10);
        // 64 channels of 7 x 7 windows over 3 channels give way to 3 x 3.
        EXPECT_EQ(colour.PartEnd(1), 157504U - 64 * 3 * (49 - 9));
        EXPECT_EQ(colour.PartEnd(1), 149824U);
        EXPECT_EQ(colour.PartEnd(2), 675392U);
        EXPECT_EQ(colour.ParameterCount(), 11173962U);
        const ModelSpec grey = MakeModel(name, GREY, 10);
        EXPECT_EQ(grey.PartEnd(1), 148672U);
        EXPECT_EQ(grey.ParameterCount(), 11172810U);
    }
}

TEST(TorchModels, TakeOtherImagesAndClasses)
{
    EXPECT_EQ(MakeModel("resnet-18", COLOUR, 100).Classes(), 100U);
    EXPECT_THROW(MakeModel("vit-s", {1, 0, 0}, 10), UsageError);
}

TEST(TorchModels, StartAsTheirTensorsSay)
{
    const ModelSpec model = MakeModel("vit-s", GREY, 10);
    const std::vector<float> values = InitialParameters(model, "default", {3, 1});
    EXPECT_EQ(values, InitialParameters(model, "default", {3, 1}));
    EXPECT_EQ(InitialParameters(model, "zero", {3, 1}), std::vector<float>(values.size(), 0.0F));
    const auto all = [&](const std::string& name, float value) {
        const ParameterTensor& tensor = Tensor(model, name);
        return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(tensor.offset),
                           values.begin() +
                               static_cast<std::ptrdiff_t>(tensor.offset + tensor.size),
                           [value](float v) { return v == value; });
    };
    EXPECT_TRUE(all("class_token", 0.0F));
    EXPECT_TRUE(all("encoder.ln.weight", 1.0F));
    EXPECT_TRUE(all("encoder.ln.bias", 0.0F));
    const ParameterTensor& positions = Tensor(model, "encoder.pos_embedding");
    double squares = 0.0;
    for (std::size_t i = 0; i < positions.size; ++i)
    {
        squares += std::pow(values[positions.offset + i] / 0.02, 2);
    }
    // The square of a standard normal has mean 1 and variance 2.
    const auto size = static_cast<double>(positions.size);
    EXPECT_NEAR(squares / size, 1.0, 5.0 * std::sqrt(2.0 / size));
    const ParameterTensor& wide = Tensor(model, "encoder.layer_0.mlp.3.weight");
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(wide.offset);
    const float largest = *std::max_element(first, first + static_cast<std::ptrdiff_t>(wide.size));
    EXPECT_LE(largest, 1.0F / 32.0F);
    EXPECT_GT(largest, 0.99F / 32.0F);
}

TEST(TorchModels, KnowTheirOperations)
{
    // 0.56 billion multiply-adds are the known figure for 3 x 32 x 32 and this stem.
    const ModelSpec model = MakeModel("resnet-18", COLOUR, 10);
    EXPECT_NEAR(model.Function()->MultiplyAdds(model), 0.5554e9, 0.0001e9);
    const ModelSpec vit = MakeModel("vit-s", COLOUR, 10);
    // Weights of the encoder's products for each of 65 tokens, of the patches for 64, of the head.
    const double products = 4.0 * (3 * 128 * 128 + 128 * 128 + 2 * 128 * 1024);
    EXPECT_DOUBLE_EQ(vit.Function()->MultiplyAdds(vit), 65 * products + 64 * 6144 + 1280);
}

TEST(TorchModels, GoToTheEngineThatTakesThem)
{
    const ModelSpec vit = MakeModel("vit-s", GREY, 10);
    const ModelSpec chain = MakeModel("cnn-s", GREY, 10);
    EXPECT_EQ(ResolveEngine("auto", vit), "libtorch");
    EXPECT_EQ(ResolveEngine("auto", chain), "native");
    EXPECT_EQ(ResolveEngine("libtorch", vit), "libtorch");
    EXPECT_EQ(ResolveEngine("libtorch", chain), "libtorch-loop");
    EXPECT_NO_THROW(MakeGradientEngine("auto", vit));
    try
    {
        MakeGradientEngine("native", vit);
        FAIL() << "accepted";
    }
    catch (const UsageError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "engine: 'native' is not accepted; expected auto or libtorch for model 'vit-s', "
                  "which is not a chain of layers");
    }
}

TEST(TorchModels, ImagesOfABatchDoNotSeeEachOther)
{
    const auto images = MakeTestImages(GREY, 1, 6);
    for (const std::string name : {"resnet-18-imagenet", "vit-s"})
    {
        const ModelSpec model = MakeModel(name, GREY, 10);
        const auto engine = MakeGradientEngine("auto", model);
        const std::vector<float> z = InitialParameters(model, "default", {2, 1});
        const double together = engine->Evaluate(z.data(), images->test, 0, 6).lossSum;
        double alone = 0.0;
        for (std::size_t i = 0; i < 6; ++i)
        {
            alone += engine->Evaluate(z.data(), images->test, i, 1).lossSum;
        }
        EXPECT_NEAR(together, alone, 1e-5 * alone) << name;
    }
}

TEST(TorchModels, BatchNormalisationLearnsWithoutClippingAlone)
{
    const ModelSpec model = MakeModel("resnet-18-bn", {1, 8, 8}, 10);
    EXPECT_TRUE(model.hasBatchStatistics);
    const auto images = MakeTestImages({1, 8, 8}, 8, 8);
    const auto engine = MakeGradientEngine("auto", model);
    std::vector<float> z = InitialParameters(model, "default", {2, 1});
    std::vector<double> gradient(z.size());
    std::vector<std::uint32_t> examples(8);
    std::iota(examples.begin(), examples.end(), 0U);
    const Batch batch{&images->train, examples.data(), examples.size()};
    EXPECT_THROW(engine->ClippedGradientSum(z.data(), batch, 1.0, gradient.data()), UsageError);
    const BatchResult before =
        engine->ClippedGradientSum(z.data(), batch, NO_CLIP, gradient.data());
    EXPECT_EQ(before.size, 8U);
    const double square =
        std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0);
    EXPECT_NEAR(before.normSum, std::sqrt(square), 1e-5 * before.normSum);
    // A short step against the gradient lowers the loss of the batch by its square.
    const double step = 1e-3 / square;
    for (std::size_t i = 0; i < z.size(); ++i)
    {
        z[i] -= static_cast<float>(step * gradient[i]);
    }
    const BatchResult after = engine->ClippedGradientSum(z.data(), batch, NO_CLIP, gradient.data());
    EXPECT_NEAR(before.lossSum - after.lossSum, 1e-3, 2e-4);
    // Images are scored with the statistics of those they are scored with.
    const Evaluation both = engine->Evaluate(z.data(), images->test, 0, 8);
    Evaluation halves = engine->Evaluate(z.data(), images->test, 0, 4);
    halves += engine->Evaluate(z.data(), images->test, 4, 4);
    EXPECT_GT(std::abs(both.lossSum - halves.lossSum), 1e-3 * both.lossSum);
}

TEST(TorchModels, OfAUserAreEnteredOnce)
{
    const ModelFactory factory = [](ImageShape input, std::uint32_t classes) {
        return ModelSpec("of-a-user",
                         input,
                         {Linear{static_cast<std::uint32_t>(input.Size()), classes}});
    };
    RegisterModel({"of-a-user", "for a test", "", {}}, factory);
    EXPECT_EQ(MakeModel("of-a-user", GREY, 10).ParameterCount(), 7850U);
    EXPECT_THROW(RegisterModel({"of-a-user", "again", "", {}}, factory), UsageError);
    EXPECT_THROW(RegisterModel({"cnn-s", "taken", "", {}}, factory), UsageError);
}

} // namespace
} // namespace dpdl
