// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "poisson-sampler.h"

#include <cmath>

namespace dpdl
{

std::string
PoissonSampler::AccountingName() const
{
    return "poisson";
}

void
PoissonSampler::Draw(const std::vector<std::uint32_t>& local,
                     NodeId node,
                     Round round,
                     std::vector<std::uint32_t>& batch) const
{
    batch.clear();
    const double rate = Rate(local.size());
    if (rate >= 1.0)
    {
        batch = local;
        return;
    }
    // The gaps between drawn examples are geometric: P(gap >= k) = (1 - rate)^k.
    const RandomStream stream = Stream(node, round);
    const double logMiss = std::log1p(-rate);
    const auto count = static_cast<double>(local.size());
    double position = 0.0;
    for (std::uint64_t draw = 0;; ++draw)
    {
        position += std::floor(std::log1p(-stream.Uniform(draw)) / logMiss);
        if (position >= count)
        {
            return;
        }
        batch.push_back(local[static_cast<std::size_t>(position)]);
        position += 1.0;
    }
}

} // namespace dpdl
