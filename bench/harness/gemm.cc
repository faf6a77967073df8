// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gemm.h"

#include "blas.h"
#include "dpdl/base/random.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

namespace dpdl
{

namespace
{

constexpr std::size_t PEAK = 1024;

std::vector<float>
RandomFloats(std::size_t size, NodeId stream)
{
    std::vector<float> values(size);
    RandomStream({1, 1}, RandomPurpose::TEST, stream, 0).FillNormal(values.data(), size);
    return values;
}

/// The product of a layer's forward pass; no rows for a layer without parameters.
GemmShape
ForwardGemm(const Layer& layer, const ImageShape& output, std::size_t batch)
{
    if (const auto* conv = std::get_if<Conv2d>(&layer))
    {
        const std::size_t places = std::size_t{output.height} * output.width;
        const std::size_t window = std::size_t{conv->in} * conv->kernel * conv->kernel;
        return {batch * places, conv->out, window};
    }
    if (const auto* linear = std::get_if<Linear>(&layer))
    {
        return {batch, linear->out, linear->in};
    }
    return {0, 0, 0};
}

/// Elements of the largest matrix of a kind.
template <typename Size>
std::size_t
Largest(const std::vector<GemmShape>& shapes, Size size)
{
    std::size_t largest = 0;
    for (const GemmShape& shape : shapes)
    {
        largest = std::max(largest, size(shape));
    }
    return largest;
}

} // namespace

std::vector<GemmShape>
GradientGemms(const ModelSpec& model, std::size_t batch)
{
    std::vector<GemmShape> shapes;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        const GemmShape forward = ForwardGemm(model.Layers()[i], model.Shapes()[i + 1], batch);
        if (forward.rows == 0)
        {
            continue;
        }
        const bool first = shapes.empty();
        shapes.push_back(forward);
        shapes.push_back({forward.columns, forward.inner, forward.rows});
        if (!first)
        {
            shapes.push_back({forward.rows, forward.inner, forward.columns});
        }
    }
    return shapes;
}

double
TotalFlop(const std::vector<GemmShape>& shapes)
{
    return std::accumulate(shapes.begin(),
                           shapes.end(),
                           0.0,
                           [](double sum, const GemmShape& shape) { return sum + shape.Flop(); });
}

GemmWork::GemmWork(std::vector<GemmShape> shapes)
    : m_shapes(std::move(shapes)),
      m_a(RandomFloats(Largest(m_shapes, [](const GemmShape& s) { return s.rows * s.inner; }), 0)),
      m_b(RandomFloats(Largest(m_shapes, [](const GemmShape& s) { return s.inner * s.columns; }),
                       1)),
      m_c(Largest(m_shapes, [](const GemmShape& s) { return s.rows * s.columns; }))
{
}

void
GemmWork::Run()
{
    for (const GemmShape& shape : m_shapes)
    {
        Multiply({m_a.data(), shape.inner},
                 {m_b.data(), shape.columns},
                 shape.rows,
                 shape.columns,
                 shape.inner,
                 0.0F,
                 m_c.data());
    }
}

GemmShape
PeakGemm()
{
    return {PEAK, PEAK, PEAK};
}

} // namespace dpdl
