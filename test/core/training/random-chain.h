// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_RANDOM_CHAIN_H
#define DPDL_TEST_RANDOM_CHAIN_H

#include "dpdl/base/random.h"
#include "dpdl/training/model.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Draws chains of layers: any kind in any place where it fits.
class RandomChain
{
  public:
    /// @param seed which chain
    explicit RandomChain(std::uint32_t seed)
        : m_stream({seed, 1}, RandomPurpose::TEST, 2, 0),
          m_seed(seed)
    {
    }

    /// A model of up to 8 layers that ends in ten logits or in one.
    ModelSpec Make()
    {
        m_shapes.push_back({Draw(1, 3), Draw(5, 11), Draw(5, 11)});
        const std::uint32_t layers = Draw(0, 6);
        for (std::uint32_t i = 0; i < layers; ++i)
        {
            Add(DrawLayer());
        }
        const std::uint32_t logits = Draw(0, 3) == 0 ? 1 : 10;
        Add(Linear{Values(), logits});
        if (Draw(0, 2) == 0)
        {
            Add(Tanh{});
            Add(Residual{1});
        }
        return {"chain-" + std::to_string(m_seed), m_shapes.front(), m_layers};
    }

  private:
    std::uint32_t Draw(std::uint32_t least, std::uint32_t most)
    {
        return least + m_stream.Integer(m_draw++, most - least + 1);
    }

    std::uint32_t Values() const
    {
        return static_cast<std::uint32_t>(m_shapes.back().Size());
    }

    void Add(const Layer& layer)
    {
        m_shapes.push_back(OutputShape(layer, m_shapes.back()));
        m_layers.push_back(layer);
    }

    Layer DrawLayer()
    {
        const ImageShape& in = m_shapes.back();
        const std::uint32_t side = std::min(in.height, in.width);
        switch (Draw(0, 7))
        {
        case 0:
        case 1:
            return Conv2d{in.channels,
                          Draw(1, 9),
                          Draw(1, std::min(side, 4U)),
                          Draw(1, 2),
                          Draw(0, 2)};
        case 2:
            return MaxPool2d{Draw(1, std::min(side, 3U)), Draw(1, 2)};
        case 3:
            return Relu{};
        case 4:
            return Flatten{};
        case 5:
            // As many values as came in, so that a residual block can end here.
            return Linear{Values(), Draw(0, 1) == 0 ? Values() : Draw(1, 12)};
        case 6:
            return DrawResidual();
        default:
            return Tanh{};
        }
    }

    /// A residual block, if any fits here.
    Layer DrawResidual()
    {
        std::vector<std::uint32_t> fitting;
        for (std::uint32_t back = 1; back < m_shapes.size(); ++back)
        {
            if (m_shapes[m_shapes.size() - 1 - back] == m_shapes.back())
            {
                fitting.push_back(back);
            }
        }
        if (fitting.empty())
        {
            return Tanh{};
        }
        return Residual{fitting[Draw(0, static_cast<std::uint32_t>(fitting.size()) - 1)]};
    }

    RandomStream m_stream;
    std::uint32_t m_seed;
    std::uint64_t m_draw{0};
    std::vector<Layer> m_layers;
    std::vector<ImageShape> m_shapes;
};

} // namespace dpdl

#endif // DPDL_TEST_RANDOM_CHAIN_H
