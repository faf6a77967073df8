// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-model.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/data/npz-file.h"
#include "torch-library.h"

#include <algorithm>
#include <filesystem>

// Makes a ModelSpec from a model file: a chain of native layers if the native engine supports all
// of them, else a LibTorch function. Weights are read from an .npz archive with the same name. A
// model file that refers to a TorchScript file always becomes a LibTorch function.

namespace dpdl
{

namespace
{

/// Largest accepted size of a model file, in bytes. All files that ParseNet() accepts are smaller.
constexpr std::size_t LONGEST_MODEL_FILE = std::size_t{1} << 22;

bool
IsSquare(const NetPair& pair)
{
    return pair[0] == pair[1];
}

/// Native layer for a layer of a model file, or the reason why there is none.
struct NativeChoice
{
    Layer layer{Relu{}};
    std::string obstacle;
};

NativeChoice
ConvChoice(const NetLayer& layer, const NetShape& input)
{
    const bool isSquare =
        IsSquare(layer.kernel) && IsSquare(layer.stride) && IsSquare(layer.padding);
    if (!isSquare || layer.groups != 1 || !layer.bias)
    {
        return {{},
                !isSquare           ? "has rows that differ from columns"
                : layer.groups != 1 ? "has groups"
                                    : "has no bias"};
    }
    return {Conv2d{input[0], layer.out, layer.kernel[0], layer.stride[0], layer.padding[0]}, ""};
}

NativeChoice
PoolChoice(const NetLayer& layer)
{
    const bool isSquare = IsSquare(layer.kernel) && IsSquare(layer.stride);
    if (!isSquare || layer.padding != NetPair{0, 0} || layer.kernel[0] > 255)
    {
        return {{},
                !isSquare                ? "has rows that differ from columns"
                : layer.kernel[0] <= 255 ? "has padding"
                                         : "has a kernel above 255"};
    }
    return {MaxPool2d{layer.kernel[0], layer.stride[0]}, ""};
}

NativeChoice
LinearChoice(const NetLayer& layer, const NetShape& input)
{
    if (input.size() > 1 || !layer.bias)
    {
        return {{}, layer.bias ? "works on several vectors of an example" : "has no bias"};
    }
    return {Linear{input[0], layer.out}, ""};
}

NativeChoice
ChoiceFor(const Net& net, std::size_t number)
{
    const NetLayer& layer = net.layers[number];
    if (layer.source != number)
    {
        return {{}, "takes the output of an earlier layer"};
    }
    switch (layer.kind)
    {
    case NetKind::LINEAR:
        return LinearChoice(layer, net.Shape(number));
    case NetKind::CONV2D:
        return ConvChoice(layer, net.Shape(number));
    case NetKind::MAX_POOL2D:
        return PoolChoice(layer);
    case NetKind::RELU:
        return {Relu{}, ""};
    case NetKind::TANH:
        return {Tanh{}, ""};
    case NetKind::FLATTEN:
        return {Flatten{}, layer.start == 1 ? "" : "keeps an axis"};
    case NetKind::ADD:
        return {Residual{static_cast<std::uint32_t>(number - layer.other)},
                layer.other == number ? "adds a value to itself" : ""};
    default:
        return {{}, "is of a kind that it does not have"};
    }
}

JsonValue
ReadModelFile(const std::string& path)
{
    DPDL_REFUSE_IF(std::filesystem::path(path).extension() != ".json",
                   "model",
                   "file:" + path,
                   "file:NET.json, with the path of a model file");
    std::ifstream file = OpenInputFile("model file", path);
    std::string text(LONGEST_MODEL_FILE + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    DPDL_REFUSE_IF(text.size() > LONGEST_MODEL_FILE,
                   "model file",
                   path,
                   "a file of at most " + std::to_string(LONGEST_MODEL_FILE >> 20U) + " MiB");
    return ParseJson(text, "model file '" + path + "'");
}

std::string
WeightsPath(const std::string& path)
{
    return std::filesystem::path(path).replace_extension(".npz").string();
}

/// Lengths of the axes, without axes of length 1. Arrays whose shapes differ only in axes of length
/// 1 have the same elements in the same order.
std::vector<std::uint64_t>
LongSides(const std::vector<std::uint64_t>& shape)
{
    std::vector<std::uint64_t> sides;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(sides), [](std::uint64_t side) {
        return side != 1;
    });
    return sides;
}

/// Initial parameters from the .npz archive, in the order of the flat vector; empty if there is no
/// archive.
/// @throws UsageError naming the array for missing or wrong arrays
std::vector<float>
ReadWeights(const Net& net)
{
    const std::string path = WeightsPath(net.path);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
    {
        return {};
    }
    const std::vector<std::string> names = net.TensorNames();
    OpenInputFile("npz file", path);
    const NpzFile file(path, Excerpt(JoinNames(names), LONGEST_MESSAGE / 4));
    for (const std::string& name : file.Names())
    {
        DPDL_REFUSE_IF(std::find(names.begin(), names.end(), name) == names.end(),
                       "npz file '" + path + "', array",
                       name,
                       "one for each tensor of the model: " +
                           Excerpt(JoinNames(names), LONGEST_MESSAGE / 4));
    }
    std::vector<float> weights;
    for (const ParameterTensor& tensor : net.tensors)
    {
        const std::unique_ptr<NpyArray> array = file.Open(tensor.name);
        if (LongSides(array->Shape()) != LongSides({tensor.shape.begin(), tensor.shape.end()}))
        {
            const std::vector<std::uint64_t>& found = array->Shape();
            throw UsageError(array->Place(),
                             "shape " + ShapeText(NetShape(found.begin(), found.end())),
                             "shape " + ShapeText(tensor.shape));
        }
        const std::vector<float> values = array->ReadNumbers<float>(tensor.size);
        array->ExpectEnd();
        weights.insert(weights.end(), values.begin(), values.end());
    }
    return weights;
}

void
CheckFit(const std::string& path,
         const NetShape& shape,
         std::uint32_t scores,
         const ImageShape& input,
         std::uint32_t classes)
{
    DPDL_REFUSE_IF(!(ImageShapeOf(shape) == input),
                   "model file '" + path + "', input",
                   ShapeText(shape),
                   ShapeText({input.channels, input.height, input.width}) +
                       ", the shape of the dataset's examples");
    DPDL_REFUSE_IF(scores != classes,
                   "model file '" + path + "', output",
                   std::to_string(scores) + (scores == 1 ? " score" : " scores"),
                   std::to_string(classes) + (classes == 1
                                                  ? ", for a dataset of targets"
                                                  : ", as many as the dataset has classes"));
}

/// Number of tensors in each part of the model. Each layer with parameters is one part.
std::vector<std::size_t>
PartsOf(const Net& net)
{
    std::vector<std::size_t> parts;
    for (const NetLayer& layer : net.layers)
    {
        if (!layer.tensors.empty())
        {
            parts.push_back(layer.tensors.size());
        }
    }
    return parts;
}

ModelSpec
MakeSpec(const Net& net, ImageShape input, std::uint32_t classes)
{
    const std::string name = "file:" + net.path;
    const NetChain chain = ChainOf(net);
    if (chain.layers.empty())
    {
        ModelSpec model(name, input, classes, net.tensors, Torch().net(net));
        model.DeclareParts(PartsOf(net));
        model.engineReason = "the native engine does not compute this model: " + chain.obstacle;
        return model;
    }
    ModelSpec model(name, input, chain.layers);
    model.DeclareNames(net.TensorNames());
    model.engineReason = "all layers are among those of the native engine";
    return model;
}

std::string
ShownLayer(const Net& net, std::size_t number)
{
    const NetLayer& layer = net.layers[number];
    const auto label = [&net](std::size_t flow) {
        return flow == 0 ? std::string("input") : net.layers[flow - 1].name;
    };
    std::string text = layer.kindName + ", " + ShapeText(net.Shape(layer.source)) + " to " +
                       ShapeText(layer.shape);
    text += layer.source == number ? "" : ", of " + label(layer.source);
    text += layer.kind == NetKind::ADD ? ", adds " + label(layer.other) : "";
    return text;
}

} // namespace

ImageShape
ImageShapeOf(const NetShape& shape)
{
    NetShape sides(3 - shape.size(), 1);
    sides.insert(sides.end(), shape.begin(), shape.end());
    return {sides[0], sides[1], sides[2]};
}

NetChain
ChainOf(const Net& net)
{
    NetChain chain;
    if (net.input.size() == 1)
    {
        // The example is a vector, which a dataset stores as one row of pixels. Flatten moves its
        // values to the channels, where linear layers expect them.
        chain.layers.emplace_back(Flatten{});
    }
    for (std::size_t number = 0; number < net.layers.size(); ++number)
    {
        const NativeChoice choice = ChoiceFor(net, number);
        if (!choice.obstacle.empty())
        {
            return {{}, net.Title(number) + " " + choice.obstacle};
        }
        chain.layers.push_back(choice.layer);
    }
    return chain;
}

ModelSpec
MakeNetModel(const std::string& path, ImageShape input, std::uint32_t classes)
{
    const JsonValue file = ReadModelFile(path);
    if (const auto script = ParseScriptFile(file, path))
    {
        CheckFit(path, script->input, script->scores, input, classes);
        return Torch().script(*script);
    }
    const Net net = ParseNet(file, path);
    CheckFit(path, net.input, net.layers.back().shape[0], input, classes);
    ModelSpec model = MakeSpec(net, input, classes);
    if (std::vector<float> weights = ReadWeights(net); !weights.empty())
    {
        model.start = std::make_shared<const std::vector<float>>(std::move(weights));
    }
    model.values = net.Values();
    for (const NetLayer& layer : net.layers)
    {
        if (layer.kind == NetKind::EMBEDDING)
        {
            model.tokens = model.tokens == 0 ? layer.count : std::min(model.tokens, layer.count);
        }
    }
    return model;
}

PartInfo
DescribeNetModel(const std::string& path)
{
    const JsonValue file = ReadModelFile(path);
    if (const auto script = ParseScriptFile(file, path))
    {
        const ModelSpec model = Torch().script(*script);
        return {"file:" + path,
                std::to_string(model.ParameterCount()) + " parameters that learn, from " +
                    ShapeText(script->input) + " to [" + std::to_string(script->scores) + "]; " +
                    model.engineReason,
                path + " with the trace " + script->script,
                TensorsOf(model)};
    }
    const Net net = ParseNet(file, path);
    const NetChain chain = ChainOf(net);
    const bool hasWeights = !ReadWeights(net).empty();
    PartInfo info{"file:" + path,
                  std::to_string(net.layers.size()) + " layers, " +
                      std::to_string(net.Parameters()) + " parameters, from " +
                      ShapeText(net.input) + " to " + ShapeText(net.layers.back().shape) +
                      "; engine " +
                      (chain.obstacle.empty() ? "native" : "libtorch, since " + chain.obstacle),
                  path + (hasWeights ? " with the weights of " + WeightsPath(path) : ""),
                  {}};
    std::size_t offset = 0;
    for (std::size_t number = 0; number < net.layers.size(); ++number)
    {
        const NetLayer& layer = net.layers[number];
        info.parameters.push_back({layer.name, "", ShownLayer(net, number)});
        for (const std::size_t tensor : layer.tensors)
        {
            const ParameterTensor& parameter = net.tensors[tensor];
            info.parameters.push_back({parameter.name, "", TensorText(parameter, offset)});
            offset += parameter.size;
        }
    }
    return info;
}

std::vector<std::string>
NetFiles(const std::string& path)
{
    if (const auto script = ParseScriptFile(ReadModelFile(path), path))
    {
        return {path, script->script};
    }
    std::error_code ignored;
    const std::string weights = WeightsPath(path);
    return std::filesystem::exists(weights, ignored) ? std::vector<std::string>{path, weights}
                                                     : std::vector<std::string>{path};
}

} // namespace dpdl
