// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "reference-network.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

using Values = std::vector<double>;

/// What one layer sees: its input in [channel, row, column] order, and its parameters.
struct Place
{
    const Values& in;
    const ImageShape& shape;
    const ImageShape& out;
    const double* weight; ///< null for layers without
    const double* bias;
    const std::vector<Values>& flows; ///< into this layer and all before it
};

/// The input at a place, zero outside of the image.
double
At(const Place& place, std::size_t c, std::ptrdiff_t y, std::ptrdiff_t x)
{
    const ImageShape& s = place.shape;
    const bool inside = y >= 0 && x >= 0 && y < static_cast<std::ptrdiff_t>(s.height) &&
                        x < static_cast<std::ptrdiff_t>(s.width);
    return inside ? place.in[(c * s.height + y) * s.width + x] : 0.0;
}

/// Calls value(channel, row, column) for each output.
template <typename Value>
Values
ForEachOutput(const Place& place, const Value& value)
{
    Values out;
    for (std::uint32_t c = 0; c < place.out.channels; ++c)
    {
        for (std::uint32_t y = 0; y < place.out.height; ++y)
        {
            for (std::uint32_t x = 0; x < place.out.width; ++x)
            {
                out.push_back(value(c, y, x));
            }
        }
    }
    return out;
}

Values
Apply(const Conv2d& conv, const Place& place)
{
    return ForEachOutput(place, [&](std::size_t o, std::ptrdiff_t y, std::ptrdiff_t x) {
        const double* weight = place.weight + o * conv.in * conv.kernel * conv.kernel;
        double sum = place.bias[o];
        for (std::uint32_t c = 0; c < conv.in; ++c)
        {
            for (std::uint32_t k = 0; k < conv.kernel * conv.kernel; ++k)
            {
                const std::ptrdiff_t row = y * conv.stride + k / conv.kernel - conv.padding;
                const std::ptrdiff_t column = x * conv.stride + k % conv.kernel - conv.padding;
                sum += *weight++ * At(place, c, row, column);
            }
        }
        return sum;
    });
}

Values
Apply(const MaxPool2d& pool, const Place& place)
{
    return ForEachOutput(place, [&](std::size_t c, std::ptrdiff_t y, std::ptrdiff_t x) {
        double largest = At(place, c, y * pool.stride, x * pool.stride);
        for (std::uint32_t k = 1; k < pool.kernel * pool.kernel; ++k)
        {
            const double value =
                At(place, c, y * pool.stride + k / pool.kernel, x * pool.stride + k % pool.kernel);
            largest = std::max(largest, value);
        }
        return largest;
    });
}

Values
Apply(const Linear& linear, const Place& place)
{
    Values out(place.bias, place.bias + linear.out);
    for (std::size_t o = 0; o < linear.out; ++o)
    {
        for (std::size_t i = 0; i < linear.in; ++i)
        {
            out[o] += place.weight[o * linear.in + i] * place.in[i];
        }
    }
    return out;
}

Values
Apply(const Relu& /* layer */, const Place& place)
{
    Values out = place.in;
    std::transform(out.begin(), out.end(), out.begin(), [](double v) { return std::max(v, 0.0); });
    return out;
}

Values
Apply(const Tanh& /* layer */, const Place& place)
{
    Values out = place.in;
    std::transform(out.begin(), out.end(), out.begin(), [](double v) { return std::tanh(v); });
    return out;
}

Values
Apply(const Flatten& /* layer */, const Place& place)
{
    return place.in;
}

Values
Apply(const Residual& residual, const Place& place)
{
    const Values& begin = place.flows[place.flows.size() - 1 - residual.layers];
    Values out = place.in;
    std::transform(out.begin(), out.end(), begin.begin(), out.begin(), std::plus<double>());
    return out;
}

Values
Forward(const ModelSpec& model, const Values& z, const std::uint8_t* pixels)
{
    Values x(pixels, pixels + model.Shapes().front().Size());
    std::transform(x.begin(), x.end(), x.begin(), [](double v) { return v / 255.0; });
    std::vector<Values> flows;
    std::size_t tensor = 0;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        const Layer& layer = model.Layers()[i];
        const bool trained = HasParameters(layer);
        const double* weight = trained ? z.data() + model.Parameters()[tensor].offset : nullptr;
        const double* bias = trained ? z.data() + model.Parameters()[tensor + 1].offset : nullptr;
        tensor += trained ? 2 : 0;
        flows.push_back(x);
        const Place place{flows.back(),
                          model.Shapes()[i],
                          model.Shapes()[i + 1],
                          weight,
                          bias,
                          flows};
        x = std::visit([&place](const auto& l) { return Apply(l, place); }, layer);
    }
    return x;
}

} // namespace

double
ReferenceLoss(const ModelSpec& model, const Values& z, const Split& split, std::size_t count)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const Values logits =
            Forward(model, z, split.pixels.data() + i * model.Shapes().front().Size());
        if (logits.size() == 1)
        {
            const double error = logits[0] - split.labels[i];
            sum += error * error / 2.0;
            continue;
        }
        double total = 0.0;
        for (const double score : logits)
        {
            total += std::exp(score);
        }
        sum += std::log(total) - logits[static_cast<std::size_t>(split.labels[i])];
    }
    return sum;
}

std::vector<float>
ReferenceSlope(const ModelSpec& model,
               const std::vector<float>& z,
               const Split& split,
               std::size_t count)
{
    constexpr double STEP = 1e-6;
    Values point(z.begin(), z.end());
    std::vector<float> slope;
    for (double& value : point)
    {
        const double here = value;
        value = here + STEP;
        const double above = ReferenceLoss(model, point, split, count);
        value = here - STEP;
        const double below = ReferenceLoss(model, point, split, count);
        value = here;
        slope.push_back(static_cast<float>((above - below) / (2.0 * STEP)));
    }
    return slope;
}

} // namespace dpdl
