// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "residual-layer.h"

#include "kernels.h"

#include <algorithm>

namespace dpdl
{

ResidualLayer::ResidualLayer(std::size_t size)
    : m_size(size)
{
}

void
ResidualLayer::Forward(const LayerData& data)
{
    std::copy_n(data.in, data.count * m_size, data.out);
    AddScaled(data.out, data.begin, 1.0F, data.count * m_size);
}

void
ResidualLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        std::copy_n(data.outGradient, data.count * m_size, data.inGradient);
    }
}

} // namespace dpdl
