// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "layer-chain.h"

namespace dpdl
{

bool
BeginsResidual(const std::vector<Layer>& layers, std::size_t index)
{
    for (std::size_t end = index; end < layers.size(); ++end)
    {
        const auto* residual = std::get_if<Residual>(&layers[end]);
        if (residual != nullptr && end - residual->layers == index)
        {
            return true;
        }
    }
    return false;
}

bool
IsTakenOverByPool(const std::vector<Layer>& layers, std::size_t index)
{
    return std::holds_alternative<Relu>(layers[index]) && index + 1 < layers.size() &&
           std::holds_alternative<MaxPool2d>(layers[index + 1]) &&
           !BeginsResidual(layers, index + 1);
}

bool
IsTakenOverByTanh(const std::vector<Layer>& layers, std::size_t index)
{
    return std::holds_alternative<Residual>(layers[index]) && index > 0 &&
           std::holds_alternative<Tanh>(layers[index - 1]) && !BeginsResidual(layers, index);
}

bool
IsReordered(const ImageShape& shape)
{
    return shape.channels > 1 && shape.height * shape.width > 1;
}

bool
NeedsFlattening(const Layer& layer, const ImageShape& input)
{
    return std::holds_alternative<Linear>(layer) && IsReordered(input);
}

} // namespace dpdl
