// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/window-gram.h"

#include <algorithm>
#include <cstddef>

namespace dpdl
{

namespace
{

constexpr double RIDGE = 0.01; // added to the diagonal of the Gram matrix

constexpr NodeId MOST_SOURCES = 4; // largest number of starting nodes of NoiseResponse()

/// Product of the n x n mixing matrix of a round and @p product, a row-major matrix with n rows.
std::vector<double>
Mixed(const GraphSequence& sequence, Round round, const std::vector<double>& product)
{
    const std::size_t n = sequence.Nodes();
    const std::size_t columns = product.size() / n;
    std::vector<double> mixed(product.size(), 0.0);
    const auto add = [&](NodeId target, NodeId source) {
        const double weight = sequence.Weight(source, target, round);
        for (std::size_t column = 0; column < columns; ++column)
        {
            mixed[target * columns + column] += weight * product[source * columns + column];
        }
    };
    for (NodeId node = 0; node < n; ++node)
    {
        add(node, node);
        for (const NodeId source : sequence.InNeighbours(node, round))
        {
            add(node, source);
        }
    }
    return mixed;
}

} // namespace

std::vector<double>
WindowGram(const GraphSequence& sequence)
{
    const std::size_t n = sequence.Nodes();
    std::vector<double> gram(n * n, 0.0);
    std::vector<double> product(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
    {
        gram[i * n + i] = RIDGE;
        product[i * n + i] = 1.0;
    }
    const double share = 1.0 / static_cast<double>(sequence.Period());
    for (Round round = 0; round < sequence.Period(); ++round)
    {
        product = Mixed(sequence, round, product);
        for (std::size_t target = 0; target < n; ++target)
        {
            const double* const row = product.data() + target * n;
            for (std::size_t a = 0; a < n; ++a)
            {
                for (std::size_t b = 0; b < n; ++b)
                {
                    gram[a * n + b] += share * row[a] * row[b];
                }
            }
        }
    }
    return gram;
}

std::vector<std::vector<double>>
NoiseResponse(const GraphSequence& sequence, Round rounds)
{
    const auto n = static_cast<NodeId>(sequence.Nodes());
    const NodeId sources = std::min(n, MOST_SOURCES);
    std::vector<std::vector<double>> response(rounds);
    for (NodeId i = 0; i < sources; ++i)
    {
        std::vector<double> model(n, 0.0);
        model[n * i / sources] = 1.0;
        for (Round round = 0; round < rounds; ++round)
        {
            model = Mixed(sequence, i + round, model);
            response[round].insert(response[round].end(), model.begin(), model.end());
        }
    }
    return response;
}

} // namespace dpdl
