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
    // The weight gradient is the outer product of output gradient and input; the bias has input 1.
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
    // A skipped example may be infinite, and 0 times infinity is NaN.
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

} // namespace dpdl
