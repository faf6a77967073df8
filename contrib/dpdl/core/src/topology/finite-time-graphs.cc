// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/topology/periodic-graph-sequence.h"
#include "graph-families.h"
#include "topology-arguments.h"

#include <algorithm>
#include <string>
#include <vector>

namespace dpdl
{

namespace
{

/// The shortest list of factors, each at most @p most, whose product is @p number; the largest
/// first. Empty if there is none, or if @p number is 1.
std::vector<std::size_t>
ShortestFactors(std::size_t number, std::size_t most)
{
    std::vector<std::size_t> best;
    for (std::size_t factor = std::min(number, most); factor >= 2; --factor)
    {
        if (number % factor != 0)
        {
            continue;
        }
        std::vector<std::size_t> factors = ShortestFactors(number / factor, factor);
        if (factors.empty() && factor != number)
        {
            continue;
        }
        factors.insert(factors.begin(), factor);
        if (best.empty() || factors.size() < best.size())
        {
            best = factors;
        }
    }
    return best;
}

/// Numbers the nodes by digits, one for each factor. In a phase those exchange with each other that
/// differ in one digit alone: after all phases everybody has the average of all.
std::shared_ptr<GraphSequence>
DigitByDigit(std::size_t nodes, const std::vector<std::size_t>& factors)
{
    std::vector<std::vector<Edge>> phases;
    std::size_t stride = 1;
    for (const std::size_t factor : factors)
    {
        phases.emplace_back();
        for (std::size_t node = 0; node < nodes; ++node)
        {
            const std::size_t digit = node / stride % factor;
            for (std::size_t other = 0; other < factor; ++other)
            {
                if (other != digit)
                {
                    const std::size_t peer = node - digit * stride + other * stride;
                    phases.back().push_back({static_cast<NodeId>(node), static_cast<NodeId>(peer)});
                }
            }
        }
        stride *= factor;
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, phases);
}

} // namespace

std::shared_ptr<GraphSequence>
MakeHypercube(const std::string& /*argument*/, std::size_t nodes, RandomSeed /*seed*/)
{
    const std::vector<std::size_t> factors = ShortestFactors(nodes, 2);
    if (factors.empty())
    {
        throw UsageError(TOPOLOGY_OPTION,
                         "hypercube",
                         "2, 4, 8, ... nodes, not " + std::to_string(nodes));
    }
    return DigitByDigit(nodes, factors);
}

std::shared_ptr<GraphSequence>
MakeBase(const std::string& argument, std::size_t nodes, RandomSeed /*seed*/)
{
    const TopologyArguments arguments("base",
                                      argument,
                                      "base:K with K in 1.." + std::to_string(nodes - 1) +
                                          " and no prime factor of the " + std::to_string(nodes) +
                                          " nodes above K + 1");
    arguments.CheckCount(1, 1);
    const std::vector<std::size_t> factors =
        ShortestFactors(nodes, arguments.Integer(0, 1, nodes - 1) + 1);
    if (factors.empty())
    {
        arguments.Refuse();
    }
    return DigitByDigit(nodes, factors);
}

} // namespace dpdl
