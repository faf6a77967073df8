// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-layers.h"

// DeviceConvLayer: im2col, one matrix product per node for the outputs, and one matrix product per
// example for the weight gradient.

namespace dpdl
{

DeviceConvLayer::DeviceConvLayer(const Conv2d& spec, const ImageShape& input, std::size_t offset)
    : m_shape(
          MakeWindowShape(input, OutputShape(spec, input), spec.kernel, spec.stride, spec.padding)),
      m_outChannels(spec.out),
      m_offset(offset)
{
}

void
DeviceConvLayer::Reserve(cuda::DeviceExecutor& executor, std::size_t examples)
{
    m_windows = {};
    m_gradients = {};
    m_windows = {executor, examples * WindowValues()};
    m_gradients = {executor, examples * GradientSize()};
}

void
DeviceConvLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    const std::size_t rows = pass.places * m_shape.windows;
    const float* weight = pass.states + m_offset;
    pass.executor->ForEach(cuda::CutWindows{flow.in, m_windows.Data(), m_shape},
                           pass.Examples() * WindowValues());
    pass.executor->ForEach(
        cuda::FillBias{{weight + WeightSize(), pass.parameters}, flow.out, rows, m_outChannels},
        pass.nodes * rows * m_outChannels);
    pass.executor->Multiply({{m_windows.Data(), m_shape.windowSize, rows * m_shape.windowSize},
                             {weight, m_shape.windowSize, pass.parameters, true},
                             flow.out,
                             rows * m_outChannels,
                             rows,
                             m_outChannels,
                             m_shape.windowSize,
                             1.0F,
                             pass.nodes});
}

void
DeviceConvLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    const std::size_t windows = m_shape.windows;
    pass.executor->Multiply({{flow.outGradient, m_outChannels, windows * m_outChannels, true},
                             {m_windows.Data(), m_shape.windowSize, WindowValues()},
                             m_gradients.Data(),
                             GradientSize(),
                             m_outChannels,
                             m_shape.windowSize,
                             windows,
                             0.0F,
                             pass.Examples()});
    pass.executor->ForEach(cuda::SumWindows{flow.outGradient,
                                            m_gradients.Data() + WeightSize(),
                                            windows,
                                            m_outChannels,
                                            GradientSize()},
                           pass.Examples() * m_outChannels);
    if (flow.inGradient == nullptr)
    {
        return;
    }
    const std::size_t rows = pass.places * windows;
    pass.executor->Multiply({{flow.outGradient, m_outChannels, rows * m_outChannels},
                             {pass.states + m_offset, m_shape.windowSize, pass.parameters},
                             pass.scratch,
                             rows * m_shape.windowSize,
                             rows,
                             m_shape.windowSize,
                             m_outChannels,
                             0.0F,
                             pass.nodes});
    pass.executor->ForEach(cuda::JoinWindows{pass.scratch, flow.inGradient, m_shape},
                           pass.Examples() * m_shape.inputSize);
}

void
DeviceConvLayer::AddSquaredNorms(const DevicePass& pass, const DeviceFlow& /* flow */)
{
    pass.executor->SumRows(
        cuda::SquaredNorms{m_gradients.Data(), GradientSize(), nullptr, pass.squares, true},
        pass.Examples(),
        GradientSize());
}

void
DeviceConvLayer::SumClipped(const DevicePass& pass, const DeviceFlow& /* flow */)
{
    pass.executor->ForEach(cuda::SumExamples{m_gradients.Data(),
                                             pass.factors,
                                             pass.sums + m_offset,
                                             pass.parameters,
                                             pass.places,
                                             GradientSize()},
                           pass.nodes * GradientSize());
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
