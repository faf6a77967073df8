// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pool-layer.h"

#include "dpdl/base/errors.h"

#include <string>

namespace dpdl
{

PoolLayer::PoolLayer(const MaxPool2d& spec,
                     const ImageShape& input,
                     bool relu,
                     std::size_t capacity)
    : m_kernels(NativeKernelsOf(SimdLevelInForce()))
{
    if (spec.kernel > 255)
    {
        throw UsageError("pool: kernel", std::to_string(spec.kernel), "at most 255");
    }
    const ImageShape output = OutputShape(spec, input);
    m_shape = {input.channels,
               input.width,
               input.Size(),
               output.height,
               output.width,
               spec.kernel,
               spec.stride,
               relu};
    m_outSize = output.Size();
    m_winner.resize(capacity * m_outSize);
}

void
PoolLayer::Forward(const LayerData& data)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        m_kernels.pool(m_shape,
                       data.in + i * m_shape.inSize,
                       data.out + i * m_outSize,
                       m_winner.data() + (data.first + i) * m_outSize);
    }
}

void
PoolLayer::Backward(const LayerData& data)
{
    if (data.inGradient == nullptr)
    {
        return;
    }
    for (std::size_t i = 0; i < data.count; ++i)
    {
        m_kernels.poolGradient(m_shape,
                               data.outGradient + i * m_outSize,
                               m_winner.data() + (data.first + i) * m_outSize,
                               data.inGradient + i * m_shape.inSize);
    }
}

} // namespace dpdl
