// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dirichlet.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// The uniforms of a stream, one after another.
class Uniforms
{
  public:
    explicit Uniforms(const RandomStream& stream)
        : m_stream(stream)
    {
    }

    /// In (0, 1].
    double Next()
    {
        return 1.0 - m_stream.Uniform(m_element++);
    }

    double NextNormal()
    {
        const double radius = std::sqrt(-2.0 * std::log(Next()));
        constexpr double TWO_PI = 6.283185307179586;
        return radius * std::cos(TWO_PI * Next());
    }

  private:
    RandomStream m_stream;
    std::uint64_t m_element{0};
};

/// Logarithm of a gamma variate of shape at least 1.
double
LogGammaVariate(Uniforms& uniforms, double shape)
{
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    while (true)
    {
        const double x = uniforms.NextNormal();
        const double root = 1.0 + c * x;
        if (root > 0.0)
        {
            const double v = root * root * root;
            if (std::log(uniforms.Next()) < x * x / 2.0 + d * (1.0 - v + std::log(v)))
            {
                return std::log(d * v);
            }
        }
    }
}

} // namespace

std::vector<double>
DrawDirichlet(const RandomStream& stream, double concentration, std::size_t count)
{
    Uniforms uniforms(stream);
    std::vector<double> shares(count);
    for (double& share : shares)
    {
        // A variate of shape a is one of shape a + 1 times U^(1/a).
        share = LogGammaVariate(uniforms, concentration + 1.0);
        share += std::log(uniforms.Next()) / concentration;
    }
    const double largest = *std::max_element(shares.begin(), shares.end());
    double sum = 0.0;
    for (double& share : shares)
    {
        share = std::exp(share - largest);
        sum += share;
    }
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

} // namespace dpdl
