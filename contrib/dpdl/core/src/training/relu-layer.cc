// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "relu-layer.h"

#include "dpdl/base/simd.h"

namespace dpdl
{

namespace
{

DPDL_MULTIVERSION void
Rectify(const float* in, float* out, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        // The comparison lets NaN pass.
        out[i] = in[i] <= 0.0F ? 0.0F : in[i];
    }
}

DPDL_MULTIVERSION void
RectifyGradient(const float* in, const float* outGradient, float* inGradient, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        inGradient[i] = in[i] <= 0.0F ? 0.0F : outGradient[i];
    }
}

} // namespace

ReluLayer::ReluLayer(std::size_t size)
    : m_size(size)
{
}

void
ReluLayer::Forward(const LayerData& data)
{
    Rectify(data.in, data.out, data.count * m_size);
}

void
ReluLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        RectifyGradient(data.in, data.outGradient, data.inGradient, data.count * m_size);
    }
}

} // namespace dpdl
