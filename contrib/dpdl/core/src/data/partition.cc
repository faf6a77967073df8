// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/partition.h"

#include <numeric>
#include <utility>

namespace dpdl
{

namespace
{

/// Equal shares of a list, in its order.
Partition
Cut(const std::vector<std::uint32_t>& order, std::size_t nodes)
{
    const std::size_t share = order.size() / nodes;
    Partition partition(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(node * share);
        partition[node].assign(begin, begin + static_cast<std::ptrdiff_t>(share));
    }
    return partition;
}

std::vector<std::uint32_t>
FileOrder(std::size_t examples)
{
    std::vector<std::uint32_t> order(examples);
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

Partition
Contiguous(std::size_t examples, std::size_t nodes, RandomSeed /* seed */)
{
    return Cut(FileOrder(examples), nodes);
}

Partition
Even(std::size_t examples, std::size_t nodes, RandomSeed seed)
{
    const RandomStream stream(seed, RandomPurpose::PARTITION, 0, 0);
    std::vector<std::uint32_t> order = FileOrder(examples);
    for (std::size_t left = examples; left > 1; --left)
    {
        const std::uint32_t chosen = stream.Integer(left, static_cast<std::uint32_t>(left));
        std::swap(order[left - 1], order[chosen]);
    }
    return Cut(order, nodes);
}

Registry<Partitioner>
MakeRegistry()
{
    Registry<Partitioner> registry("partition");
    registry.Add({"even", "random permutation of all examples, cut into equal shares", "", {}},
                 Even);
    registry.Add({"contiguous", "equal shares in file order", "", {}}, Contiguous);
    registry.Reserve({"dirichlet",
                      "class proportions of each node from a Dirichlet distribution",
                      "Hsu, Qi, Brown, arXiv:1909.06335",
                      {{"A", "", "concentration, above 0; small: few classes a node"}}});
    registry.Reserve({"by-class", "each node holds few classes", "", {}});
    return registry;
}

} // namespace

const Registry<Partitioner>&
Partitions()
{
    static const Registry<Partitioner> registry = MakeRegistry();
    return registry;
}

Partition
MakePartition(const std::string& spec, std::size_t examples, std::size_t nodes, RandomSeed seed)
{
    const std::size_t colon = spec.find(':');
    const Partitioner& partitioner = Partitions().Get(spec.substr(0, colon));
    if (colon != std::string::npos)
    {
        throw UsageError("partition", spec, "'" + spec.substr(0, colon) + "' without a parameter");
    }
    if (nodes == 0 || nodes > examples)
    {
        throw UsageError("number of nodes",
                         std::to_string(nodes),
                         "1 to " + std::to_string(examples) + ", the number of training examples");
    }
    return partitioner(examples, nodes, seed);
}

} // namespace dpdl
