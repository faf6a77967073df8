// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/correlated-noise.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Sum of the absolute weights of the standard normals that form one node's noise in one round.
double
SizeOf(const NodeNoise& node)
{
    double size = std::fabs(node.own);
    for (const SharedNoise& shared : node.shared)
    {
        size += std::fabs(shared.weight);
    }
    return size;
}

/// Noise source that MakeCorrelatedNoise() returns. Each noise value is a fixed linear combination
/// of standard normals.
class CorrelatedNoise : public NoiseSource
{
  public:
    CorrelatedNoise(NoiseMix mix, RandomSeed seed)
        : m_mix(std::move(mix)),
          m_seed(seed)
    {
    }

    std::string Name() const override
    {
        return "correlated";
    }

    std::string Statement() const override
    {
        return m_mix.statement;
    }

    std::string Mechanism() const override
    {
        return "gaussian";
    }

    double OwnShare() const override
    {
        double least = 1.0;
        for (const NodeNoise& node : m_mix.nodes)
        {
            least = std::min(least, node.own);
        }
        return least;
    }

    double Spread() const override
    {
        double most = m_mix.nodes.empty() ? m_alone.own : 0.0;
        for (const NodeNoise& node : m_mix.nodes)
        {
            most = std::max(most, SizeOf(node));
        }
        double lags = 0.0;
        for (const double lag : m_mix.lags)
        {
            lags += std::fabs(lag);
        }
        return most * lags;
    }

    std::vector<double> Exposure(const std::vector<bool>& released,
                                 const std::vector<NodeId>& leaked) const override
    {
        return m_mix.exposure ? m_mix.exposure(released, leaked) : std::vector<double>();
    }

    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override
    {
        const double strength = m_mix.strength.empty() ? 1.0 : m_mix.strength.at(round);
        const std::size_t lags = std::min<std::size_t>(m_mix.lags.size(), round + 1);
        for (std::size_t age = 0; age < lags; ++age)
        {
            if (m_mix.lags[age] != 0.0)
            {
                const double deviation = scale.deviation * strength * m_mix.lags[age];
                AddRow(values, count, deviation, node, round - age);
            }
        }
    }

  private:
    void AddRow(double* values, std::size_t count, double deviation, NodeId node, Round round) const
    {
        const NodeNoise& row = m_mix.nodes.empty() ? m_alone : m_mix.nodes.at(node);
        if (row.own != 0.0)
        {
            RandomStream(m_seed, RandomPurpose::NOISE, node, round)
                .AddNormal(values, count, deviation * row.own);
        }
        for (const SharedNoise& shared : row.shared)
        {
            RandomStream(m_seed, RandomPurpose::SHARED_NOISE, shared.stream, round)
                .AddNormal(values, count, deviation * shared.weight);
        }
    }

    NoiseMix m_mix; ///< weights of the standard normal variables, by node, lag in rounds, and round
    RandomSeed m_seed;   ///< seed and run number
    NodeNoise m_alone{}; ///< weights of every node if m_mix.nodes is empty: independent noise with
                         ///< weight 1
};

} // namespace

std::shared_ptr<const NoiseSource>
MakeCorrelatedNoise(NoiseMix mix, RandomSeed seed)
{
    return std::make_shared<CorrelatedNoise>(std::move(mix), seed);
}

} // namespace dpdl
