// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/layer.h"

#include <algorithm>
#include <string>

namespace dpdl
{

namespace
{

[[noreturn]] void
ThrowMisfit(const ImageShape& input, const std::string& layer)
{
    throw UsageError("model layer", layer, "one that fits to an input of " + input.Text());
}

/// Number of window positions along one axis of a zero-padded image.
std::uint32_t
Positions(std::uint32_t size, std::uint32_t kernel, std::uint32_t stride, std::uint32_t padding)
{
    return (size + 2 * padding - kernel) / stride + 1;
}

ImageShape
ShapeAfter(const Conv2d& layer, const ImageShape& in)
{
    const std::uint32_t side = std::min(in.height, in.width) + 2 * layer.padding;
    if (in.channels != layer.in || layer.kernel == 0 || layer.stride == 0 || layer.kernel > side)
    {
        ThrowMisfit(in,
                    "convolution of " + std::to_string(layer.in) + " channels in windows of " +
                        std::to_string(layer.kernel));
    }
    return {layer.out,
            Positions(in.height, layer.kernel, layer.stride, layer.padding),
            Positions(in.width, layer.kernel, layer.stride, layer.padding)};
}

ImageShape
ShapeAfter(const Relu& /* layer */, const ImageShape& in)
{
    return in;
}

ImageShape
ShapeAfter(const Tanh& /* layer */, const ImageShape& in)
{
    return in;
}

ImageShape
ShapeAfter(const MaxPool2d& layer, const ImageShape& in)
{
    if (layer.kernel == 0 || layer.stride == 0 || layer.kernel > std::min(in.height, in.width))
    {
        ThrowMisfit(in, "pool of " + std::to_string(layer.kernel));
    }
    return {in.channels,
            Positions(in.height, layer.kernel, layer.stride, 0),
            Positions(in.width, layer.kernel, layer.stride, 0)};
}

ImageShape
ShapeAfter(const Linear& layer, const ImageShape& in)
{
    if (in.Size() != layer.in)
    {
        ThrowMisfit(in, "linear of " + std::to_string(layer.in) + " values");
    }
    return {layer.out, 1, 1};
}

ImageShape
ShapeAfter(const Flatten& /* layer */, const ImageShape& in)
{
    return {static_cast<std::uint32_t>(in.Size()), 1, 1};
}

ImageShape
ShapeAfter(const Residual& /* layer */, const ImageShape& in)
{
    return in;
}

} // namespace

bool
HasParameters(const Layer& layer)
{
    return std::holds_alternative<Conv2d>(layer) || std::holds_alternative<Linear>(layer);
}

ImageShape
OutputShape(const Layer& layer, const ImageShape& input)
{
    return std::visit([&input](const auto& l) { return ShapeAfter(l, input); }, layer);
}

} // namespace dpdl
