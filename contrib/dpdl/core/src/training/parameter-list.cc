// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "parameter-list.h"

namespace dpdl
{

std::size_t
ParameterList::Add(const std::string& name,
                   const std::vector<std::uint32_t>& shape,
                   std::size_t fanIn,
                   Initialisation start)
{
    m_tensors.push_back({name, shape, 0, 0, fanIn, start});
    return m_tensors.size() - 1;
}

std::size_t
ParameterList::AddScale(const std::string& name, std::uint32_t channels)
{
    return Add(name + ".weight", {channels}, 1, Initialisation::ONE);
}

std::size_t
ParameterList::AddShift(const std::string& name, std::uint32_t channels)
{
    return Add(name + ".bias", {channels}, 1, Initialisation::ZERO);
}

ConvOp
ParameterList::Conv(const std::string& name,
                    const std::vector<std::uint32_t>& weight,
                    std::uint32_t stride,
                    std::uint32_t padding,
                    bool bias)
{
    const std::size_t fanIn = static_cast<std::size_t>(weight[1]) * weight[2] * weight[3];
    const std::size_t first = Add(name + ".weight", weight, fanIn, Initialisation::FAN_IN_UNIFORM);
    const std::size_t second =
        bias ? Add(name + ".bias", {weight[0]}, fanIn, Initialisation::FAN_IN_UNIFORM) : NO_TENSOR;
    return {first, second, weight[2], stride, padding};
}

LinearOp
ParameterList::Linear(const std::string& name, std::uint32_t in, std::uint32_t out)
{
    const std::size_t weight = Add(name + ".weight", {out, in}, in, Initialisation::FAN_IN_UNIFORM);
    return {weight, Add(name + ".bias", {out}, in, Initialisation::FAN_IN_UNIFORM)};
}

GroupNormOp
ParameterList::GroupNorm(const std::string& name, std::uint32_t channels, std::uint32_t groups)
{
    const std::size_t scale = AddScale(name, channels);
    return {scale, AddShift(name, channels), groups};
}

LayerNormOp
ParameterList::LayerNorm(const std::string& name, std::uint32_t width)
{
    const std::size_t scale = AddScale(name, width);
    return {scale, AddShift(name, width)};
}

BatchNormOp
ParameterList::BatchNorm(const std::string& name, std::uint32_t channels)
{
    const std::size_t scale = AddScale(name, channels);
    return {scale, AddShift(name, channels)};
}

ParameterOp
ParameterList::Free(const std::string& name,
                    const std::vector<std::uint32_t>& shape,
                    Initialisation start)
{
    return {Add(name, shape, 1, start)};
}

const std::vector<ParameterTensor>&
ParameterList::Tensors() const
{
    return m_tensors;
}

} // namespace dpdl
