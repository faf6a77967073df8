// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-layers.h"

namespace dpdl
{

cuda::Biases
BiasesOf(const DevicePass& pass, const BiasPlace& place, std::size_t size)
{
    if (place.width == 0)
    {
        return {};
    }
    return {pass.states + place.offset,
            pass.parameters,
            pass.places * size / place.width,
            place.width};
}

DeviceProductLayer::DeviceProductLayer(std::size_t offset, std::size_t in, std::size_t out)
    : m_offset(offset),
      m_in(in),
      m_out(out)
{
}

void
DeviceProductLayer::MultiplyForward(const DevicePass& pass,
                                    const float* in,
                                    cuda::MatrixBatch weights,
                                    float* out,
                                    std::size_t rows) const
{
    if (!m_leavesBias)
    {
        pass.executor->ForEach(cuda::FillBias{BiasesOf(pass, Bias(), rows * m_out), out},
                               pass.Examples() * rows * m_out);
    }
    rows *= pass.places;
    weights.transpose = true;
    pass.executor->Multiply({{in, m_in, rows * m_in},
                             weights,
                             out,
                             rows * m_out,
                             rows,
                             m_out,
                             m_in,
                             m_leavesBias ? 0.0F : 1.0F,
                             pass.nodes});
}

void
DeviceProductLayer::MultiplyBackward(const DevicePass& pass,
                                     const float* outGradient,
                                     const cuda::MatrixBatch& weights,
                                     float* inGradient,
                                     std::size_t rows) const
{
    rows *= pass.places;
    pass.executor->Multiply({{outGradient, m_out, rows * m_out},
                             weights,
                             inGradient,
                             rows * m_in,
                             rows,
                             m_in,
                             m_out,
                             0.0F,
                             pass.nodes});
}

DeviceLinearLayer::DeviceLinearLayer(const Linear& spec, std::size_t offset)
    : DeviceProductLayer(offset, spec.in, spec.out)
{
}

void
DeviceLinearLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    MultiplyForward(pass, flow.in, StateWeights(pass), flow.out, 1);
}

void
DeviceLinearLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient != nullptr)
    {
        MultiplyBackward(pass, flow.outGradient, StateWeights(pass), flow.inGradient, 1);
    }
}

std::vector<cuda::GradientPart>
DeviceLinearLayer::Parts(const DeviceFlow& flow) const
{
    return {{flow.in, m_in, true}, {flow.outGradient, m_out, false, Bias().offset}};
}

void
DeviceLinearLayer::SumClipped(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::ScaleExamples{flow.outGradient, pass.factors, m_out, true},
                           pass.Examples() * m_out);
    // Clear the inputs of skipped examples: they may be infinite, and 0 times infinity is NaN.
    pass.executor->ForEach(cuda::ScaleExamples{flow.in, pass.factors, m_in, false},
                           pass.Examples() * m_in);
    pass.executor->Multiply({{flow.outGradient, m_out, pass.places * m_out, true},
                             {flow.in, m_in, pass.places * m_in},
                             pass.sums + m_offset,
                             pass.parameters,
                             m_out,
                             m_in,
                             pass.places,
                             0.0F,
                             pass.nodes});
}

DevicePoolLayer::DevicePoolLayer(const MaxPool2d& spec,
                                 const ImageShape& input,
                                 bool relu,
                                 const BiasPlace& bias)
    : m_shape(MakeWindowShape(input, OutputShape(spec, input), spec.kernel, spec.stride, 0)),
      m_relu(relu),
      m_bias(bias)
{
}

void
DevicePoolLayer::Reserve(cuda::DeviceExecutor& executor,
                         std::size_t /* nodes */,
                         std::size_t examples)
{
    m_winner = {};
    m_winner = {executor, examples * OutputSize()};
}

void
DevicePoolLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    pass.executor->ForEach(cuda::PoolForward{flow.in,
                                             flow.out,
                                             m_winner.Data(),
                                             m_shape,
                                             m_relu,
                                             BiasesOf(pass, m_bias, OutputSize())},
                           pass.Examples() * OutputSize());
}

void
DevicePoolLayer::Backward(const DevicePass& pass, const DeviceFlow& flow)
{
    if (flow.inGradient == nullptr)
    {
        return;
    }
    const cuda::PoolGradients pool{flow.outGradient, m_winner.Data(), flow.inGradient, m_shape};
    if (m_shape.kernel <= m_shape.stride)
    {
        pass.executor->ForEach(cuda::SpreadPools{pool}, pass.Examples() * OutputSize());
    }
    else
    {
        pass.executor->ForEach(cuda::PoolBackward{pool}, pass.Examples() * m_shape.inputSize);
    }
}

DeviceFunctionLayer::DeviceFunctionLayer(Kind kind, std::size_t size, const BiasPlace& bias)
    : m_kind(kind),
      m_size(size),
      m_bias(bias)
{
}

void
DeviceFunctionLayer::Forward(const DevicePass& pass, const DeviceFlow& flow)
{
    const cuda::IndexOp op =
        m_kind == Kind::RELU
            ? cuda::IndexOp(cuda::Rectify{flow.in, flow.out, BiasesOf(pass, m_bias, m_size)})
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
            ? cuda::IndexOp(cuda::RectifyGradient{flow.out, flow.outGradient, flow.inGradient})
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
