// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/model.h"

namespace dpdl
{

namespace
{

ModelSpec
CnnS(ImageShape input, std::uint32_t classes)
{
    const std::vector<Layer> features{Conv2d{input.channels, 16, 8, 2, 3},
                                      Relu{},
                                      MaxPool2d{2, 1},
                                      Conv2d{16, 32, 4, 2, 0},
                                      Relu{},
                                      MaxPool2d{2, 1}};
    ImageShape shape = input;
    for (const Layer& layer : features)
    {
        shape = OutputShape(layer, shape);
    }
    std::vector<Layer> layers = features;
    layers.emplace_back(Linear{static_cast<std::uint32_t>(shape.Size()), 32});
    layers.emplace_back(Relu{});
    layers.emplace_back(Linear{32, classes});
    return {"cnn-s", input, std::move(layers)};
}

ModelSpec
SoftmaxRegression(ImageShape input, std::uint32_t classes)
{
    return {"softmax-regression",
            input,
            {Linear{static_cast<std::uint32_t>(input.Size()), classes}}};
}

/// An entry whose parameters are the model's tensors.
void
AddModel(Registry<ModelFactory>& registry, PartInfo info, const ModelFactory& factory)
{
    const ModelSpec model = factory({1, 28, 28}, 10);
    for (const ParameterTensor& tensor : model.Parameters())
    {
        std::string shape;
        for (const std::uint32_t size : tensor.shape)
        {
            shape += (shape.empty() ? "[" : ", ") + std::to_string(size);
        }
        info.parameters.push_back({tensor.name,
                                   "",
                                   "float32 " + shape + "], elements " +
                                       std::to_string(tensor.offset) + " to " +
                                       std::to_string(tensor.offset + tensor.size - 1) +
                                       " of the parameter vector, in part " +
                                       std::to_string(model.PartOf(tensor.offset))});
    }
    registry.Add(std::move(info), factory);
}

Registry<ModelFactory>
MakeRegistry()
{
    Registry<ModelFactory> registry("model");
    AddModel(registry,
             {"cnn-s",
              "two convolutions with pools and two linear layers, 26010 parameters for 28 x 28",
              "Papernot et al., AAAI 2021 (arXiv:2007.14191), with rectified linear units",
              {}},
             CnnS);
    AddModel(registry,
             {"softmax-regression",
              "one linear layer from the pixels to the scores; a convex loss",
              "",
              {}},
             SoftmaxRegression);
    registry.Reserve({"mlp", "linear layers of 784-10-784-10", "", {}});
    registry.Reserve({"nn-2", "one hidden linear layer", "", {}});
    registry.Reserve({"cnn-m", "two convolutions of 32 and 64 channels, linear of 512", "", {}});
    registry.Reserve({"cnn-c10", "convolutions for 32 x 32 colour images", "", {}});
    registry.Reserve({"resnet-18", "residual network with group normalisation", "", {}});
    registry.Reserve({"vit-s", "small vision transformer", "", {}});
    return registry;
}

} // namespace

const Registry<ModelFactory>&
Models()
{
    static const Registry<ModelFactory> registry = MakeRegistry();
    return registry;
}

ModelSpec
MakeModel(const std::string& name, ImageShape input, std::uint32_t classes)
{
    return Models().Get(name)(input, classes);
}

} // namespace dpdl
