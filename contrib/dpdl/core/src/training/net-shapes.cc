// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-file.h"

#include <algorithm>

// Shape inference for model files: computes the output shape and parameter tensors of each layer,
// and rejects layers that do not fit their input.

namespace dpdl
{

namespace
{

/// Largest number of elements of a tensor. Its size in bytes then fits into 64 bits. CheckSize()
/// has a smaller limit.
constexpr double MOST_ELEMENTS = 1e18;

/// Infers the output shape and the tensors of one layer of a net.
class LayerShaper
{
  public:
    LayerShaper(Net& net, std::size_t number)
        : m_net(net),
          m_number(number),
          m_layer(net.layers[number]),
          m_input(net.Shape(m_layer.source))
    {
    }

    void Complete()
    {
        switch (m_layer.kind)
        {
        case NetKind::LINEAR:
            m_layer.shape = m_input;
            m_layer.shape.back() = m_layer.out;
            AddMatrix({m_layer.out, m_input.back()});
            break;
        case NetKind::CONV1D:
        case NetKind::CONV2D:
            Convolve();
            break;
        case NetKind::MAX_POOL1D:
        case NetKind::MAX_POOL2D:
        case NetKind::AVG_POOL1D:
        case NetKind::AVG_POOL2D:
            Pool();
            break;
        case NetKind::ADAPTIVE_AVG_POOL1D:
            Expect(2, "[channels, length]");
            m_layer.shape = {m_input[0], m_layer.size[1]};
            break;
        case NetKind::ADAPTIVE_AVG_POOL2D:
            Expect(3, "[channels, rows, columns]");
            m_layer.shape = {m_input[0], m_layer.size[0], m_layer.size[1]};
            break;
        case NetKind::GROUP_NORM:
            Divide("groups", m_layer.groups, m_input[0]);
            m_layer.shape = m_input;
            AddNorm(m_input[0]);
            break;
        case NetKind::LAYER_NORM:
            m_layer.shape = m_input;
            AddNorm(m_input.back());
            break;
        case NetKind::ADD:
            Add();
            break;
        case NetKind::FLATTEN:
            Flatten();
            break;
        case NetKind::RELU:
        case NetKind::TANH:
        case NetKind::GELU:
        case NetKind::SIGMOID:
            m_layer.shape = m_input;
            break;
        default:
            CompleteTokens();
        }
    }

  private:
    /// Infers the output of layers for tokens, such as embedding and attention, and of TRANSPOSE.
    void CompleteTokens()
    {
        switch (m_layer.kind)
        {
        case NetKind::EMBEDDING:
            if (m_layer.source != 0)
            {
                Fail("the output of a layer as input", "the example, whose values it looks up");
            }
            Expect(1, "[length]");
            m_layer.shape = {m_input[0], m_layer.out};
            AddTensor(".weight", {m_layer.count, m_layer.out}, 1, Initialisation::SMALL_NORMAL);
            break;
        case NetKind::ATTENTION:
            Expect(2, "[tokens, width]");
            Divide("heads", m_layer.heads, m_input[1]);
            m_layer.shape = m_input;
            AddAttention(m_input[1]);
            break;
        case NetKind::CLASS_TOKEN:
            Expect(2, "[tokens, width]");
            m_layer.shape = {m_input[0] + 1, m_input[1]};
            AddTensor("", {1, m_input[1]}, 1, Initialisation::ZERO);
            break;
        case NetKind::POSITION:
            Expect(2, "[tokens, width]");
            m_layer.shape = m_input;
            AddTensor("", m_input, 1, Initialisation::SMALL_NORMAL);
            break;
        case NetKind::SELECT:
            Expect(2, "[tokens, width]");
            if (m_layer.index >= m_input[0])
            {
                Fail("index " + std::to_string(m_layer.index),
                     "0 to " + std::to_string(m_input[0] - 1));
            }
            m_layer.shape = {m_input[1]};
            break;
        case NetKind::MEAN:
            Expect(2, "[tokens, width]");
            m_layer.shape = {m_input[1]};
            break;
        default: // kind TRANSPOSE
            Expect(2, "two axes");
            m_layer.shape = {m_input[1], m_input[0]};
        }
    }

    [[noreturn]] void Fail(const std::string& found, const std::string& expected) const
    {
        throw UsageError(m_net.Place(m_number), found, expected);
    }

    void Expect(std::size_t axes, const std::string& expected) const
    {
        if (m_input.size() != axes)
        {
            Fail("input " + ShapeText(m_input), expected);
        }
    }

    void Divide(const std::string& what, std::uint32_t parts, std::uint32_t whole) const
    {
        if (whole % parts != 0)
        {
            Fail(std::to_string(parts) + " " + what,
                 "a divisor of " + std::to_string(whole) + ", for input " + ShapeText(m_input));
        }
    }

    /// Number of window positions along each axis: rows and columns, or only columns in 1-D layers.
    /// @param hasRows false for a 1-D layer
    NetShape Windows(bool hasRows) const
    {
        NetShape positions;
        for (std::size_t axis = hasRows ? 0 : 1; axis < 2; ++axis)
        {
            const std::uint32_t side = m_input[axis + (hasRows ? 1 : 0)];
            const std::uint32_t padded = side + 2 * m_layer.padding[axis];
            if (m_layer.kernel[axis] > padded)
            {
                Fail("kernel " + std::to_string(m_layer.kernel[axis]),
                     "at most " + std::to_string(padded) + ", for input " + ShapeText(m_input));
            }
            positions.push_back((padded - m_layer.kernel[axis]) / m_layer.stride[axis] + 1);
        }
        return positions;
    }

    void Slide(bool hasRows, std::uint32_t channels)
    {
        Expect(hasRows ? 3 : 2, hasRows ? "[channels, rows, columns]" : "[channels, length]");
        const NetShape positions = Windows(hasRows);
        m_layer.shape = {channels};
        m_layer.shape.insert(m_layer.shape.end(), positions.begin(), positions.end());
    }

    void Convolve()
    {
        const bool hasRows = m_layer.kind == NetKind::CONV2D;
        Slide(hasRows, m_layer.out);
        Divide("groups", m_layer.groups, m_input[0]);
        Divide("groups", m_layer.groups, m_layer.out);
        // A 1-D convolution has windows of one row.
        AddMatrix({m_layer.out,
                   m_input[0] / m_layer.groups,
                   hasRows ? m_layer.kernel[0] : 1,
                   m_layer.kernel[1]});
    }

    void Pool()
    {
        Slide(m_layer.kind == NetKind::MAX_POOL2D || m_layer.kind == NetKind::AVG_POOL2D,
              m_input[0]);
        for (std::size_t axis = 0; axis < 2; ++axis)
        {
            if (2 * m_layer.padding[axis] > m_layer.kernel[axis])
            {
                Fail("padding " + std::to_string(m_layer.padding[axis]),
                     "at most half of kernel " + std::to_string(m_layer.kernel[axis]));
            }
        }
    }

    void Add()
    {
        const NetShape& other = m_net.Shape(m_layer.other);
        if (m_input != other)
        {
            Fail(ShapeText(m_input) + " and " + ShapeText(other), "two inputs of the same shape");
        }
        m_layer.shape = m_input;
    }

    void Flatten()
    {
        if (m_layer.start > m_input.size())
        {
            Fail("start " + std::to_string(m_layer.start),
                 "1 to " + std::to_string(m_input.size()) + ", for input " + ShapeText(m_input));
        }
        const auto first = m_input.begin() + (m_layer.start - 1);
        std::uint32_t size = 1;
        std::for_each(first, m_input.end(), [&size](std::uint32_t side) { size *= side; });
        m_layer.shape = NetShape(m_input.begin(), first);
        m_layer.shape.push_back(size);
    }

    void AddTensor(const std::string& suffix,
                   const NetShape& shape,
                   std::size_t fanIn,
                   Initialisation start)
    {
        double size = 1.0;
        for (const std::uint32_t side : shape)
        {
            size = std::min(size * side, MOST_ELEMENTS);
        }
        m_layer.tensors.push_back(m_net.tensors.size());
        m_net.tensors.push_back(
            {m_layer.name + suffix, shape, 0, static_cast<std::size_t>(size), fanIn, start});
    }

    void AddMatrix(const NetShape& weight)
    {
        std::size_t fanIn = 1;
        std::for_each(weight.begin() + 1, weight.end(), [&fanIn](std::uint32_t side) {
            fanIn *= side;
        });
        AddTensor(".weight", weight, fanIn, Initialisation::FAN_IN_UNIFORM);
        if (m_layer.bias)
        {
            AddTensor(".bias", {weight[0]}, fanIn, Initialisation::FAN_IN_UNIFORM);
        }
    }

    void AddNorm(std::uint32_t size)
    {
        AddTensor(".weight", {size}, 1, Initialisation::ONE);
        AddTensor(".bias", {size}, 1, Initialisation::ZERO);
    }

    /// Appends the tensors of an attention, with the names of torch.nn.MultiheadAttention.
    void AddAttention(std::uint32_t width)
    {
        const auto start = Initialisation::FAN_IN_UNIFORM;
        AddTensor(".in_proj_weight", {3 * width, width}, width, start);
        AddTensor(".in_proj_bias", {3 * width}, width, start);
        AddTensor(".out_proj.weight", {width, width}, width, start);
        AddTensor(".out_proj.bias", {width}, width, start);
    }

    Net& m_net;             ///< net that receives the tensors
    std::size_t m_number;   ///< index of the layer in the net
    NetLayer& m_layer;      ///< layer that receives its output shape and tensors
    const NetShape m_input; ///< shape of the layer's input
};

} // namespace

void
CompleteLayer(Net& net, std::size_t number)
{
    LayerShaper(net, number).Complete();
}

} // namespace dpdl
