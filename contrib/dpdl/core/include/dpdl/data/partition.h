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

/// Training examples of each node: [node][local index] -> index in the training split. A node
/// may have no examples.
using Partition = std::vector<std::vector<std::uint32_t>>;

/// Inputs of a Partitioner.
struct PartitionRequest
{
    /// Label of each training example, in file order: a class 0, 1, ... or the target of a
    /// regression. Must outlive the request.
    const std::vector<double>& labels;
    std::size_t nodes;     ///< number of nodes, from 1 to labels.size()
    RandomSeed seed;       ///< seed of the run
    std::string parameter; ///< TEXT in a partition's name `NAME:TEXT`; "": none
    /// Node that owns each training example, in file order; empty: the dataset names no owners. A
    /// Partitioner that uses owners must reject an owner >= nodes. The vector must outlive the
    /// request.
    const std::vector<std::uint32_t>& owners;
};

/// Distributes the training examples to the nodes: returns, for each node, the indices of its
/// examples in the training split. Throws UsageError if the request has no such distribution.
using Partitioner = std::function<Partition(const PartitionRequest& request)>;

/// Registry of all partitions: even, contiguous, dirichlet, by-class, given.
const Registry<Partitioner>& Partitions();

/**
 * @brief Distributes the training examples to the nodes.
 *
 * Each example goes to at most one node. `dirichlet` and `given` distribute all examples. The other
 * partitions give every node the same number J of examples and leave the remainder unused.
 *  - `even`: a random permutation of all examples, cut into equal parts, J = floor(examples /
 *    nodes). The permutation depends on the seed only.
 *  - `contiguous`: node i owns examples i * J to (i + 1) * J - 1 in file order, J as for `even`.
 *  - `dirichlet:A`: for each label, proportions over the nodes are drawn from the symmetric
 *    Dirichlet distribution of concentration A, and the shuffled examples of that label are cut in
 *    these proportions (Yurochkin et al., ICML 2019). Nodes own different numbers of examples,
 *    possibly none. Hsu, Qi, Brown (arXiv:1909.06335) instead draw the proportions of the labels
 *    for each node, and give all nodes the same number.
 *  - `by-class:S`: the examples, sorted by label and shuffled within a label, are cut into nodes *
 *    S shards of floor(examples / (nodes * S)). Each node receives S random shards (McMahan et al.,
 *    AISTATS 2017), and therefore examples of few classes. The unused examples are spread evenly
 *    over the sorted order.
 *  - `given`: each example goes to the node given by the dataset. Nodes own different numbers of
 *    examples, possibly none.
 *
 * @param spec a name of Partitions(), with its parameter after a colon if it has one
 * @param labels labels of the training examples, in file order
 * @param nodes number of nodes, at least 1
 * @param seed seed of the run
 * @param owners node of each training example; empty if the dataset has none
 * @return by node: indices of the node's examples in the training split
 * @throws UsageError if the name is unknown, its parameter is missing or out of range, or there are
 *         more nodes than examples. For `given`: if the dataset names no owners, or an owner is >=
 *         @p nodes
 */
Partition MakePartition(const std::string& spec,
                        const std::vector<double>& labels,
                        std::size_t nodes,
                        RandomSeed seed,
                        const std::vector<std::uint32_t>& owners = {});

} // namespace dpdl

#endif // DPDL_DATA_PARTITION_H
