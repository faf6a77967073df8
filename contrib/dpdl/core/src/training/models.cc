// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/model.h"
#include "net-file.h"
#include "net-model.h"
#include "torch-library.h"

#include <utility>

// The built-in models. Small CNNs, residual MLPs and linear regressions are chains of layers. The
// registry also lists models that LibTorch computes.

namespace dpdl
{

namespace
{

/// Number of values per example that a chain of layers outputs.
/// @param input shape of one image
std::uint32_t
SizeBehind(const std::vector<Layer>& layers, const ImageShape& input)
{
    ImageShape shape = input;
    for (const Layer& layer : layers)
    {
        shape = OutputShape(layer, shape);
    }
    return static_cast<std::uint32_t>(shape.Size());
}

/// Layers of a classifier: @p features, a linear layer with @p hidden outputs, ReLU, then a linear
/// layer for the logits.
std::vector<Layer>
Classifier(ImageShape input,
           std::vector<Layer> features,
           std::uint32_t hidden,
           std::uint32_t classes)
{
    features.emplace_back(Linear{SizeBehind(features, input), hidden});
    features.emplace_back(Relu{});
    features.emplace_back(Linear{hidden, classes});
    return features;
}

std::vector<Layer>
Joined(const std::vector<std::vector<Layer>>& blocks)
{
    std::vector<Layer> layers;
    for (const std::vector<Layer>& block : blocks)
    {
        layers.insert(layers.end(), block.begin(), block.end());
    }
    return layers;
}

ModelSpec
CnnS(ImageShape input, std::uint32_t classes)
{
    const std::vector<Layer> features{Conv2d{input.channels, 16, 8, 2, 3},
                                      Relu{},
                                      MaxPool2d{2, 1},
                                      Conv2d{16, 32, 4, 2, 0},
                                      Relu{},
                                      MaxPool2d{2, 1}};
    return {"cnn-s", input, Classifier(input, features, 32, classes)};
}

/// The model `cnn-xs`: one convolution and one linear layer. The model is small enough for links of
/// a few hundred kbit/s.
ModelSpec
CnnXs(ImageShape input, std::uint32_t classes)
{
    std::vector<Layer> layers{Conv2d{input.channels, 8, 5, 3, 0}, Relu{}, MaxPool2d{2, 2}};
    layers.emplace_back(Linear{SizeBehind(layers, input), classes});
    return {"cnn-xs", input, layers};
}

/// A convolution that keeps the image size (for odd kernels), ReLU, and a max pool that halves
/// height and width.
std::vector<Layer>
ConvBlock(std::uint32_t in, std::uint32_t out, std::uint32_t kernel)
{
    return {Conv2d{in, out, kernel, 1, kernel / 2}, Relu{}, MaxPool2d{2, 2}};
}

ModelSpec
CnnM(ImageShape input, std::uint32_t classes)
{
    const std::vector<Layer> features =
        Joined({ConvBlock(input.channels, 32, 5), ConvBlock(32, 64, 5)});
    return {"cnn-m", input, Classifier(input, features, 512, classes)};
}

ModelSpec
CnnC10(ImageShape input, std::uint32_t classes)
{
    const std::vector<Layer> features =
        Joined({ConvBlock(input.channels, 32, 3), ConvBlock(32, 64, 3), ConvBlock(64, 64, 3)});
    return {"cnn-c10", input, Classifier(input, features, 64, classes)};
}

/// The model `mlp`: logits tanh(L3 h) with h = x + tanh(L2 tanh(L1 x)), where x is the image and
/// L1, L2, L3 are linear layers.
ModelSpec
Mlp(ImageShape input, std::uint32_t classes)
{
    const auto pixels = static_cast<std::uint32_t>(input.Size());
    return {"mlp",
            input,
            {Flatten{},
             Linear{pixels, classes},
             Tanh{},
             Linear{classes, pixels},
             Tanh{},
             Residual{4},
             Linear{pixels, classes},
             Tanh{}}};
}

/// The model `mlp-1`: logits h + tanh(L3 tanh(L2 h)) with h = tanh(L1 x), where x is the image and
/// L1, L2, L3 are linear layers.
ModelSpec
Mlp1(ImageShape input, std::uint32_t classes)
{
    const auto pixels = static_cast<std::uint32_t>(input.Size());
    return {"mlp-1",
            input,
            {Linear{pixels, classes},
             Tanh{},
             Linear{classes, pixels},
             Tanh{},
             Linear{pixels, classes},
             Tanh{},
             Residual{4}}};
}

ModelSpec
SoftmaxRegression(ImageShape input, std::uint32_t classes)
{
    DPDL_REFUSE_IF(classes == 1,
                   "model",
                   "softmax-regression",
                   "linear-regression for a dataset of targets");
    return {"softmax-regression",
            input,
            {Linear{static_cast<std::uint32_t>(input.Size()), classes}}};
}

ModelSpec
LinearRegression(ImageShape input, std::uint32_t classes)
{
    DPDL_REFUSE_IF(classes != 1,
                   "model",
                   "linear-regression",
                   "softmax-regression for a dataset of classes");
    return {"linear-regression", input, {Linear{static_cast<std::uint32_t>(input.Size()), 1}}};
}

/// Registers a model. Its registry entry lists the parameter tensors for one image size and number
/// of classes. The list is computed when the entry is shown, because some models load LibTorch.
/// @param image shape of the images for which tensors are listed
/// @param classes number of classes for which tensors are listed
void
AddModel(Registry<ModelFactory>& registry,
         PartInfo info,
         const ModelFactory& factory,
         ImageShape image = {1, 28, 28},
         std::uint32_t classes = 10)
{
    info.more = [=]() { return TensorsOf(factory(image, classes)); };
    registry.Add(std::move(info), factory);
}

void
AddConvolutional(Registry<ModelFactory>& registry)
{
    AddModel(registry,
             {"cnn-s",
              "two convolutions with pools and two linear layers, 26010 parameters for 28 x 28",
              "Papernot et al., AAAI 2021 (arXiv:2007.14191), with rectified linear units",
              {}},
             CnnS);
    AddModel(registry,
             {"cnn-m",
              "convolutions of 32 and 64 channels, a linear layer of 512, 1663370 parameters for "
              "28 x 28",
              "McMahan et al., AISTATS 2017 (arXiv:1602.05629)",
              {}},
             CnnM);
    AddModel(registry,
             {"cnn-c10",
              "three convolutions and two linear layers, 122570 parameters for 3 x 32 x 32",
              "the network of ADP-VRSGP for CIFAR-10; the widths are this project's choice",
              {}},
             CnnC10,
             {3, 32, 32});
    AddModel(registry,
             {"cnn-xs",
              "one convolution with a pool and a linear layer, 1498 parameters for 28 x 28",
              "this project's choice for radios of a few hundred kbit/s",
              {}},
             CnnXs);
}

/// Makes a model by a function of the LibTorch library.
/// @tparam model member of TorchLibrary that points to the function
template <TorchLibrary::Model* TorchLibrary::*model>
ModelSpec
ByTorch(ImageShape input, std::uint32_t classes)
{
    return (Torch().*model)(input, classes);
}

void
AddResidual(Registry<ModelFactory>& registry)
{
    AddModel(registry,
             {"resnet-18",
              "residual network for small images, group normalisation, 11.2 million parameters",
              "He et al., CVPR 2016 (arXiv:1512.03385); Wu and He, ECCV 2018 (arXiv:1803.08494)",
              {}},
             ByTorch<&TorchLibrary::resNet18>);
    AddModel(registry,
             {"resnet-18-bn",
              "the same with batch normalisation: for learning without clipping alone",
              "He et al., CVPR 2016 (arXiv:1512.03385)",
              {}},
             ByTorch<&TorchLibrary::resNet18BatchNorm>);
    AddModel(registry,
             {"resnet-18-imagenet",
              "resnet-18 with the stem for ImageNet: 7 x 7 with stride 2, and a pool",
              "He et al., CVPR 2016 (arXiv:1512.03385); PartPSP, with group normalisation",
              {}},
             ByTorch<&TorchLibrary::resNet18ImageNet>);
}

Registry<ModelFactory>
BuiltInModels()
{
    Registry<ModelFactory> registry("model");
    AddConvolutional(registry);
    AddModel(registry,
             {"softmax-regression",
              "one linear layer from the pixels to the scores; a convex loss",
              "",
              {}},
             SoftmaxRegression);
    AddModel(registry,
             {"linear-regression",
              "one linear layer from the pixels to one score; squared error",
              "",
              {}},
             LinearRegression,
             {1, 28, 28},
             1);
    AddModel(registry,
             {"mlp",
              "PartPSP-2's: u = x + tanh(L2 tanh(L1 x)), tanh(L3 u); 24324 parameters for 28 x 28",
              "Zhou, Xue, Chen, arXiv:2602.11544, and its public code",
              {}},
             Mlp);
    AddModel(registry,
             {"mlp-1",
              "PartPSP-1's: h = tanh(L1 x), h + tanh(L3 tanh(L2 h)); 24324 parameters for 28 x 28",
              "Zhou, Xue, Chen, arXiv:2602.11544, and its public code",
              {}},
             Mlp1);
    AddModel(registry,
             {"nn-2",
              "one hidden layer of 128 rectified units, 101770 parameters for 28 x 28",
              "the two-layer network of AdaD2P; the width is this project's choice",
              {}},
             [](ImageShape input, std::uint32_t classes) -> ModelSpec {
                 return {"nn-2", input, Classifier(input, {}, 128, classes)};
             });
    AddResidual(registry);
    AddModel(registry,
             {"vit-s",
              "vision transformer of four layers, patches of 4 x 4; 1335690 parameters for 3 x 32 "
              "x 32",
              "Dosovitskiy et al., ICLR 2021 (arXiv:2010.11929); sizes of PartPSP",
              {}},
             ByTorch<&TorchLibrary::vitS>,
             {3, 32, 32});
    registry.Add({MODEL_FILE,
                  "layers of a file, and their weights if there are any: file:NET.json",
                  "doc/formats/model.md",
                  {{"NET.json", "", "path of the file; NET.npz beside it has the weights"}}},
                 [](ImageShape /* input */, std::uint32_t /* classes */) -> ModelSpec {
                     throw UsageError("model",
                                      MODEL_FILE,
                                      MODEL_FILE + ":NET.json, with the path of a model file");
                 });
    return registry;
}

Registry<ModelFactory>&
Registered()
{
    static Registry<ModelFactory> registry = BuiltInModels();
    return registry;
}

} // namespace

std::string
TensorText(const ParameterTensor& tensor, std::size_t offset)
{
    return "float32 " + ShapeText(tensor.shape) + ", elements " + std::to_string(offset) + " to " +
           std::to_string(offset + tensor.size - 1) + " of the parameter vector";
}

std::vector<ParameterInfo>
TensorsOf(const ModelSpec& model)
{
    std::vector<ParameterInfo> tensors;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        tensors.push_back({tensor.name,
                           "",
                           TensorText(tensor, tensor.offset) + ", in part " +
                               std::to_string(model.PartOf(tensor.offset))});
    }
    return tensors;
}

const Registry<ModelFactory>&
Models()
{
    return Registered();
}

void
RegisterModel(PartInfo info, ModelFactory factory)
{
    Registered().Add(std::move(info), std::move(factory));
}

} // namespace dpdl
