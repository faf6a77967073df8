// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "dpdl/training/model.h"
#include "test-images.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Model, HasThePublishedNumberOfParameters)
{
    EXPECT_EQ(MakeModel("cnn-s", IMAGE, 10).ParameterCount(), 26010U);
    EXPECT_EQ(MakeModel("cnn-xs", IMAGE, 10).ParameterCount(), 1498U);
    EXPECT_EQ(MakeModel("cnn-m", IMAGE, 10).ParameterCount(), 1663370U);
    EXPECT_EQ(MakeModel("cnn-c10", {3, 32, 32}, 10).ParameterCount(), 122570U);
    EXPECT_EQ(MakeModel("softmax-regression", IMAGE, 10).ParameterCount(), 7850U);
    EXPECT_EQ(MakeModel("linear-regression", IMAGE, 1).ParameterCount(), 785U);
    EXPECT_EQ(MakeModel("mlp", IMAGE, 10).ParameterCount(), 24324U);
    EXPECT_EQ(MakeModel("mlp-1", IMAGE, 10).ParameterCount(), 24324U);
    EXPECT_EQ(MakeModel("nn-2", IMAGE, 10).ParameterCount(), 101770U);
}

// arXiv:2602.11544: what PartPSP-1 and PartPSP-2 share.
TEST(Model, MlpHasThePublishedParts)
{
    for (const std::string name : {"mlp", "mlp-1"})
    {
        const ModelSpec model = MakeModel(name, IMAGE, 10);
        ASSERT_EQ(model.Parts(), 3U);
        EXPECT_EQ(model.PartEnd(1), 7850U);
        EXPECT_EQ(model.PartEnd(2), 16474U);
        EXPECT_EQ(model.PartEnd(3), 24324U);
    }
}

TEST(Model, FitsImagesOfOtherSizes)
{
    for (const std::string& name : Models().Names())
    {
        if (name == "file")
        {
            continue; // the file says which shape it takes
        }
        const std::uint32_t classes = name == "linear-regression" ? 1 : 7;
        // The patches of a transformer have to cover the image.
        const ImageShape odd{2, name == "vit-s" ? 24U : 25U, 40};
        for (const ImageShape& image : {IMAGE, ImageShape{3, 32, 32}, odd})
        {
            EXPECT_EQ(MakeModel(name, image, classes).Classes(), classes) << name;
        }
    }
}

TEST(Model, HasHiddenLayersOfAnyWidth)
{
    EXPECT_EQ(MakeModel("mlp:128", IMAGE, 10).ParameterCount(),
              MakeModel("nn-2", IMAGE, 10).ParameterCount());
    EXPECT_EQ(MakeModel("mlp:5,3", {1, 1, 4}, 2).ParameterCount(), 25U + 18U + 8U);
    EXPECT_EQ(ModelInfo("mlp:5,3").AllParameters().size(), 6U);
    for (const std::string& name :
         Pieces("mlp: mlp:0 mlp:5, mlp:,5 mlp:5;3 mlp:-1 mlp:99999999999 mlp:1.5 nn-2:3"))
    {
        EXPECT_THROW(MakeModel(name, IMAGE, 10), UsageError) << name;
    }
}

TEST(Model, HasTheLossOfItsLogits)
{
    EXPECT_EQ(MakeModel("nn-2", IMAGE, 10).TrainingLoss(), Loss::CROSS_ENTROPY);
    EXPECT_EQ(MakeModel("nn-2", IMAGE, 2).TrainingLoss(), Loss::CROSS_ENTROPY);
    EXPECT_EQ(MakeModel("nn-2", IMAGE, 1).TrainingLoss(), Loss::SQUARED_ERROR);
    EXPECT_EQ(MakeModel("linear-regression", IMAGE, 1).TrainingLoss(), Loss::SQUARED_ERROR);
    EXPECT_THROW(MakeModel("linear-regression", IMAGE, 10), UsageError);
    EXPECT_THROW(MakeModel("softmax-regression", IMAGE, 1), UsageError);
}

TEST(Model, LaysParametersOutAsPyTorchDoes)
{
    const ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    const auto& tensors = model.Parameters();
    ASSERT_EQ(tensors.size(), 8U);
    EXPECT_EQ(tensors[0].name, "conv1.weight");
    EXPECT_EQ(tensors[0].shape, (std::vector<std::uint32_t>{16, 1, 8, 8}));
    EXPECT_EQ(tensors[2].shape, (std::vector<std::uint32_t>{32, 16, 4, 4}));
    EXPECT_EQ(tensors[4].shape, (std::vector<std::uint32_t>{32, 512}));
    EXPECT_EQ(tensors[7].name, "fc2.bias");
    std::size_t offset = 0;
    for (const ParameterTensor& tensor : tensors)
    {
        std::size_t size = 1;
        for (const std::uint32_t side : tensor.shape)
        {
            size *= side;
        }
        EXPECT_EQ(tensor.offset, offset);
        EXPECT_EQ(tensor.size, size);
        offset += size;
    }
    EXPECT_EQ(offset, model.ParameterCount());
}

TEST(Model, HasOnePartForEachLayerWithParameters)
{
    const ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    ASSERT_EQ(model.Parts(), 4U);
    EXPECT_EQ(model.PartEnd(1), 16U * 64U + 16U);
    EXPECT_EQ(model.PartEnd(2), 1040U + 32U * 256U + 32U);
    EXPECT_EQ(model.PartEnd(3), 9264U + 32U * 512U + 32U);
    EXPECT_EQ(model.PartEnd(4), 26010U);
    EXPECT_EQ(model.PartOf(0), 1U);
    EXPECT_EQ(model.PartOf(1039), 1U);
    EXPECT_EQ(model.PartOf(1040), 2U);
    EXPECT_EQ(model.PartOf(26009), 4U);
    EXPECT_THROW(model.PartEnd(0), UsageError);
    EXPECT_THROW(model.PartEnd(5), UsageError);
}

TEST(Model, MayDeclareOtherParts)
{
    ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    EXPECT_EQ(model.DeclareParts({3, 5}).Parts(), 2U);
    EXPECT_EQ(model.PartEnd(1), 1040U + 32U * 256U);
    EXPECT_EQ(model.PartEnd(2), 26010U);
    EXPECT_THROW(model.DeclareParts({3, 4}), UsageError);
    EXPECT_THROW(model.DeclareParts({3, 0, 5}), UsageError);
    EXPECT_THROW(model.DeclareParts({3, 6}), UsageError);
    EXPECT_THROW(model.DeclareParts({}), UsageError);
    EXPECT_EQ(model.Parts(), 2U);
}

TEST(Models, ListTheTensorsOfEachPart)
{
    const std::vector<ParameterInfo> tensors = Models().Info("cnn-s").AllParameters();
    ASSERT_EQ(tensors.size(), 8U);
    EXPECT_EQ(tensors[2].name, "conv2.weight");
    EXPECT_EQ(tensors[2].meaning,
              "float32 [32, 16, 4, 4], elements 1040 to 9231 of the parameter vector, in part 2");
}

TEST(Model, RefusesLayersThatDoNotFit)
{
    EXPECT_THROW(ModelSpec("m", IMAGE, {Linear{783, 10}}), UsageError);
    EXPECT_THROW(ModelSpec("m", IMAGE, {Conv2d{3, 8, 3, 1, 0}}), UsageError);
    EXPECT_THROW(ModelSpec("m", IMAGE, {Conv2d{1, 8, 29, 1, 0}}), UsageError);
    EXPECT_THROW(ModelSpec("m", IMAGE, {MaxPool2d{30, 1}}), UsageError);
    EXPECT_THROW(ModelSpec("m", IMAGE, {Relu{}}), UsageError);
    EXPECT_THROW(MakeModel("cnn-s", {1, 6, 6}, 10), UsageError);
    EXPECT_THROW(MakeModel("cnn-l", IMAGE, 10), UsageError);
    EXPECT_THROW(MakeModel("resnet-18", {1, 7, 7}, 10), UsageError);
    EXPECT_THROW(MakeModel("vit-s", {1, 30, 28}, 10), UsageError);
}

TEST(Model, WithBatchStatisticsIsRefusedForPrivateTraining)
{
    ModelSpec model("batch-normalised", {1, 2, 2}, {Linear{4, 3}});
    EXPECT_FALSE(model.hasBatchStatistics);
    EXPECT_NO_THROW(CheckPerExampleGradients(model));
    model.hasBatchStatistics = true;
    try
    {
        CheckPerExampleGradients(model);
        FAIL() << "accepted";
    }
    catch (const UsageError& error)
    {
        const std::string text = error.what();
        EXPECT_EQ(text.find("model: 'batch-normalised' is not accepted"), 0U) << text;
        EXPECT_NE(text.find("batch normalisation"), std::string::npos) << text;
    }
}

TEST(InitialParameters, AreUniformWithTheFanInBound)
{
    const ModelSpec model = MakeModel("cnn-s", IMAGE, 10);
    const std::vector<float> values = InitialParameters(model, "default", {4, 1});
    EXPECT_EQ(values, InitialParameters(model, "default", {4, 1}));
    EXPECT_NE(values, InitialParameters(model, "default", {4, 2}));
    const std::vector<std::size_t> fanIns{64, 64, 256, 256, 512, 512, 32, 32};
    for (std::size_t t = 0; t < fanIns.size(); ++t)
    {
        const ParameterTensor& tensor = model.Parameters()[t];
        const double bound = 1.0 / std::sqrt(static_cast<double>(fanIns[t]));
        double squares = 0.0;
        for (std::size_t i = 0; i < tensor.size; ++i)
        {
            const double value = values[tensor.offset + i];
            EXPECT_LE(std::abs(value), bound * (1 + 1e-7));
            squares += value * value / (bound * bound) / static_cast<double>(tensor.size);
        }
        // u^2 of a uniform u in +-1 has mean 1/3 and variance 4/45.
        const double error = std::sqrt(4.0 / 45.0 / static_cast<double>(tensor.size));
        EXPECT_NEAR(squares, 1.0 / 3.0, 5.0 * error) << tensor.name;
    }
}

TEST(InitialParameters, MayBeZero)
{
    const ModelSpec model = MakeModel("softmax-regression", IMAGE, 10);
    EXPECT_EQ(InitialParameters(model, "zero", {1, 1}), std::vector<float>(7850, 0.0F));
    EXPECT_THROW(InitialParameters(model, "one", {1, 1}), UsageError);
}

} // namespace
} // namespace dpdl
