// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_PARTITION_H
#define DPDL_DATA_PARTITION_H

#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// Which training examples each node owns: [node][local number] -> index into the training split.
using Partition = std::vector<std::vector<std::uint32_t>>;

/// Divides examples 0..examples-1 among nodes.
using Partitioner =
    std::function<Partition(std::size_t examples, std::size_t nodes, RandomSeed seed)>;

/// All partitions by name: even, contiguous, and names that are reserved.
const Registry<Partitioner>& Partitions();

/**
 * @brief Divides the training examples among the nodes.
 *
 * Every node receives J = floor(examples / nodes) examples, and no example goes to two nodes. The
 * examples - nodes * J that are left over belong to nobody.
 *  - `even`: a random permutation of all examples, cut into equal shares. The permutation depends
 *    on the seed only.
 *  - `contiguous`: node i owns examples i * J to (i + 1) * J - 1 in file order.
 *
 * @param spec a name of Partitions(), with its parameter behind a colon where it has one
 * @param examples number of training examples
 * @param nodes number of nodes, at least 1
 * @param seed of the run
 * @return one list a node
 * @throws UsageError if the name is unknown or there are more nodes than examples
 */
Partition MakePartition(const std::string& spec,
                        std::size_t examples,
                        std::size_t nodes,
                        RandomSeed seed);

} // namespace dpdl

#endif // DPDL_DATA_PARTITION_H
