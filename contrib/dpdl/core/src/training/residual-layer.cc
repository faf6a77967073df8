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
    Add(data.in, data.begin, data.count * m_size, data.out);
}

void
ResidualLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr && data.inGradient != data.outGradient)
    {
        std::copy_n(data.outGradient, data.count * m_size, data.inGradient);
    }
}

} // namespace dpdl
