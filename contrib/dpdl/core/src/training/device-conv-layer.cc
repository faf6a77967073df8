// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-layers.h"

// DeviceConvLayer: im2col, one matrix product per node for the outputs, and one matrix product per
// example for the weight gradient.

namespace dpdl
{

DeviceConvLayer::DeviceConvLayer(const Conv2d& spec, const ImageShape& input, std::size_t offset)
    : DeviceProductLayer(offset, std::size_t{input.channels} * spec.kernel * spec.kernel, spec.out),
      m_shape(
          MakeWindowShape(input, OutputShape(spec, input), spec.kernel, spec.stride, spec.padding))
{
}

void
DeviceConvLayer::Reserve(cuda::DeviceExecutor& executor, std::size_t nodes, std::size_t examples)
{
    m_weights = {};
    m_windows = {};
    m_gradients = {};
    m_weights = {executor, m_shape.channels == 1 ? 0 : nodes * WeightSize()};
    m_windows = {executor, examples * WindowValues()};
    m_gradients = {executor, examples * GradientSize()};
}

cuda::MatrixBatch
DeviceConvLayer::Weights(const DevicePass& pass) const
{
    return m_weights.Size() == 0 ? StateWeights(pass)
                                 : cuda::MatrixBatch{m_weights.Data(), m_in, WeightSize()};
}

void
DeviceConvLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::CutWindows{flow.in, m_windows.Data(), m_shape},
                           pass.Examples() * WindowValues());
    if (m_weights.Size() > 0)
    {
        pass.executor->ForEach(cuda::SwapAxes{pass.states + m_offset,
                                              m_weights.Data(),
                                              m_shape.channels,
                                              static_cast<std::uint32_t>(m_in / m_shape.channels),
                                              m_out,
                                              pass.parameters - WeightSize()},
                               pass.nodes * WeightSize());
    }
    MultiplyForward(pass, m_windows.Data(), Weights(pass), flow.out, m_shape.windows);
}

void
DeviceConvLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    const std::size_t windows = m_shape.windows;
    pass.executor->Multiply({{flow.outGradient, m_out, windows * m_out, true},
                             {m_windows.Data(), m_in, WindowValues()},
                             m_gradients.Data(),
                             GradientSize(),
                             m_out,
                             m_in,
                             windows,
                             0.0F,
                             pass.Examples()});
    pass.executor->ForEach(cuda::SumWindows{flow.outGradient,
                                            m_gradients.Data() + WeightSize(),
                                            windows,
                                            m_out,
                                            GradientSize()},
                           pass.Examples() * m_out);
    if (flow.inGradient == nullptr)
    {
        return;
    }
    MultiplyBackward(pass, flow.outGradient, Weights(pass), pass.scratch, windows);
    pass.executor->ForEach(cuda::JoinWindows{pass.scratch, flow.inGradient, m_shape},
                           pass.Examples() * m_shape.inputSize);
}

std::vector<cuda::GradientPart>
DeviceConvLayer::Parts(const DeviceFlow& /* flow */) const
{
    const cuda::WeightOrder order{WeightSize(), m_shape.channels, m_in};
    return {{m_gradients.Data(), GradientSize(), false, m_offset, order}};
}

cuda::WindowShape
MakeWindowShape(const ImageShape& input,
                const ImageShape& output,
                std::uint32_t kernel,
                std::uint32_t stride,
                std::uint32_t padding)
{
    return {input.channels,
            input.height,
            input.width,
            kernel,
            stride,
            padding,
            output.height,
            output.width};
}

} // namespace dpdl
