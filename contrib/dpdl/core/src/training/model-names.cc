// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-model.h"

#include <charconv>

namespace dpdl
{

namespace
{

/// Path of the model file in the name `file:NET.json`; empty for a name of another form.
std::string
ModelFileOf(const std::string& name)
{
    const std::string prefix = MODEL_FILE + ":";
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : "";
}

const std::string HIDDEN_LAYERS = "mlp:";
constexpr std::uint32_t WIDEST_LAYER = 1U << 24;

/// Widths of the hidden layers in the name `mlp:H1,H2,...`; empty for a name of another form.
std::vector<std::uint32_t>
HiddenWidths(const std::string& name)
{
    std::vector<std::uint32_t> widths;
    if (name.rfind(HIDDEN_LAYERS, 0) != 0)
    {
        return widths;
    }
    const char* at = name.data() + HIDDEN_LAYERS.size();
    const char* const end = name.data() + name.size();
    do
    {
        std::uint32_t width = 0;
        const auto read = std::from_chars(at, end, width);
        const bool isNumber = read.ec == std::errc() && width > 0 && width <= WIDEST_LAYER;
        DPDL_REFUSE_IF(!isNumber || (read.ptr != end && *read.ptr != ','),
                       "model",
                       name,
                       "mlp:H1,H2,... with the widths of the hidden layers, each a whole "
                       "number from 1 to " +
                           std::to_string(WIDEST_LAYER));
        widths.push_back(width);
        at = read.ptr + (read.ptr != end ? 1 : 0);
    } while (at != end || *(at - 1) == ',');
    return widths;
}

/// Multilayer perceptron with ReLU after each hidden layer, from the name `mlp:H1,H2,...`.
ModelSpec
Perceptron(const std::string& name, ImageShape input, std::uint32_t classes)
{
    std::vector<Layer> layers;
    double values = static_cast<double>(input.Size()) + classes;
    auto width = static_cast<std::uint32_t>(input.Size());
    for (const std::uint32_t next : HiddenWidths(name))
    {
        layers.emplace_back(Linear{width, next});
        layers.emplace_back(Relu{});
        width = next;
        values += 2.0 * width;
    }
    layers.emplace_back(Linear{width, classes});
    ModelSpec model(name, input, layers);
    model.values = values;
    return model;
}

} // namespace

PartInfo
ModelInfo(const std::string& name)
{
    if (!HiddenWidths(name).empty())
    {
        PartInfo info{name, "hidden layers of rectified units, for 28 x 28", "", {}};
        info.parameters = TensorsOf(Perceptron(name, {1, 28, 28}, 10));
        return info;
    }
    const std::string path = ModelFileOf(name);
    return path.empty() ? Models().Info(name) : DescribeNetModel(path);
}

std::vector<std::string>
ModelFiles(const std::string& name)
{
    const std::string path = ModelFileOf(name);
    return path.empty() ? std::vector<std::string>{} : NetFiles(path);
}

ModelSpec
MakeModel(const std::string& name, ImageShape input, std::uint32_t classes)
{
    if (!HiddenWidths(name).empty())
    {
        return Perceptron(name, input, classes);
    }
    const std::string path = ModelFileOf(name);
    return path.empty() ? Models().Get(name)(input, classes) : MakeNetModel(path, input, classes);
}

} // namespace dpdl
