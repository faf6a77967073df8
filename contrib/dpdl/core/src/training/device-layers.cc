// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-layers.h"

namespace dpdl
{

DeviceLinearLayer::DeviceLinearLayer(const Linear& spec, std::size_t offset)
    : m_in(spec.in),
      m_out(spec.out),
      m_offset(offset)
{
}

void
DeviceLinearLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    const float* weight = pass.states + m_offset;
    pass.executor->ForEach(
        cuda::FillBias{{weight + m_out * m_in, pass.parameters}, flow.out, pass.places, m_out},
        pass.Examples() * m_out);
    pass.executor->Multiply({{flow.in, m_in, pass.places * m_in},
                             {weight, m_in, pass.parameters, true},
                             flow.out,
                             pass.places * m_out,
                             pass.places,
                             m_out,
                             m_in,
                             1.0F,
                             pass.nodes});
}

void
DeviceLinearLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient != nullptr)
    {
        pass.executor->Multiply({{flow.outGradient, m_out, pass.places * m_out},
                                 {pass.states + m_offset, m_in, pass.parameters},
                                 flow.inGradient,
                                 pass.places * m_in,
                                 pass.places,
                                 m_in,
                                 m_out,
                                 0.0F,
                                 pass.nodes});
    }
}

void
DeviceLinearLayer::AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow)
{
    // The weight gradient is the outer product of output gradient and input. The bias gradient is
    // that of an input 1.
    pass.executor->SumRows(cuda::SquaredNorms{flow.in, m_in, nullptr, pass.otherSquares, false},
                           pass.Examples(),
                           m_in);
    pass.executor->SumRows(
        cuda::SquaredNorms{flow.outGradient, m_out, pass.otherSquares, pass.squares, true},
        pass.Examples(),
        m_out);
}

void
DeviceLinearLayer::SumClipped(const DevicePass& pass, const DeviceFlow& flow)
{
    float* weightSum = pass.sums + m_offset;
    pass.executor->ForEach(cuda::SumExamples{flow.outGradient,
                                             pass.factors,
                                             weightSum + m_out * m_in,
                                             pass.parameters,
                                             pass.places,
                                             m_out},
                           pass.nodes * m_out);
    pass.executor->ForEach(cuda::ScaleExamples{flow.outGradient, pass.factors, m_out},
                           pass.Examples() * m_out);
    // Clear the inputs of skipped examples: they may be infinite, and 0 times infinity is NaN.
    pass.executor->ForEach(cuda::LeaveOut{flow.in, pass.factors, m_in}, pass.Examples() * m_in);
    pass.executor->Multiply({{flow.outGradient, m_out, pass.places * m_out, true},
                             {flow.in, m_in, pass.places * m_in},
                             weightSum,
                             pass.parameters,
                             m_out,
                             m_in,
                             pass.places,
                             0.0F,
                             pass.nodes});
}

DevicePoolLayer::DevicePoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu)
    : m_shape(MakeWindowShape(input, OutputShape(spec, input), spec.kernel, spec.stride, 0)),
      m_relu(relu)
{
}

void
DevicePoolLayer::Reserve(cuda::DeviceExecutor& executor, std::size_t examples)
{
    m_winner = {};
    m_winner = {executor, examples * OutputSize()};
}

void
DevicePoolLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::PoolForward{flow.in, flow.out, m_winner.Data(), m_shape, m_relu},
                           pass.Examples() * OutputSize());
}

void
DevicePoolLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient != nullptr)
    {
        pass.executor->ForEach(
            cuda::PoolBackward{flow.outGradient, m_winner.Data(), flow.inGradient, m_shape},
            pass.Examples() * m_shape.inputSize);
    }
}

DeviceFunctionLayer::DeviceFunctionLayer(Kind kind, std::size_t size)
    : m_kind(kind),
      m_size(size)
{
}

void
DeviceFunctionLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    const cuda::IndexOp op = m_kind == Kind::RELU ? cuda::IndexOp(cuda::Rectify{flow.in, flow.out})
                                                  : cuda::IndexOp(cuda::Tangent{flow.in, flow.out});
    pass.executor->ForEach(op, pass.Examples() * m_size);
}

void
DeviceFunctionLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient == nullptr)
    {
        return;
    }
    const cuda::IndexOp op =
        m_kind == Kind::RELU
            ? cuda::IndexOp(cuda::RectifyGradient{flow.in, flow.outGradient, flow.inGradient})
            : cuda::IndexOp(cuda::TangentGradient{flow.out, flow.outGradient, flow.inGradient});
    pass.executor->ForEach(op, pass.Examples() * m_size);
}

DeviceFlattenLayer::DeviceFlattenLayer(const ImageShape& input)
    : m_channels(input.channels),
      m_pixels(input.height * input.width)
{
}

void
DeviceFlattenLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::SwapAxes{flow.in, flow.out, m_pixels, m_channels},
                           pass.Examples() * m_pixels * m_channels);
}

void
DeviceFlattenLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient != nullptr)
    {
        pass.executor->ForEach(
            cuda::SwapAxes{flow.outGradient, flow.inGradient, m_channels, m_pixels},
            pass.Examples() * m_pixels * m_channels);
    }
}

DeviceResidualLayer::DeviceResidualLayer(std::size_t begin, std::size_t size)
    : m_begin(begin),
      m_size(size)
{
}

void
DeviceResidualLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::AddValues{flow.in, m_values, flow.out}, pass.Examples() * m_size);
}

void
DeviceResidualLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient != nullptr)
    {
        pass.executor->Copy(flow.inGradient,
                            flow.outGradient,
                            pass.Examples() * m_size * sizeof(float));
    }
}

} // namespace dpdl
