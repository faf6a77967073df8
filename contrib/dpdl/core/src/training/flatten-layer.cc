// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "flatten-layer.h"

#include "kernels.h"

namespace dpdl
{

FlattenLayer::FlattenLayer(const ImageShape& input)
    : m_channels(input.channels),
      m_pixels(static_cast<std::size_t>(input.height) * input.width)
{
}

void
FlattenLayer::Forward(const LayerData& data)
{
    ToChannelsFirst(data.in, data.out, data.count, m_channels, m_pixels);
}

void
FlattenLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        ToChannelsLast(data.outGradient, data.inGradient, data.count, m_channels, m_pixels);
    }
}

} // namespace dpdl
