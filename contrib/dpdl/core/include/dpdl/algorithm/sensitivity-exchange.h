// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H
#define DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H

#include "dpdl/base/types.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace dpdl
{

/**
 * @brief Largest true L1 distance between the parameters x = w z of two nodes, which no node knows.
 *
 * An oracle, for measurements and for the runs that the paper calls real. One measurement costs
 * O(n^2 d).
 */
class SensitivityExchange
{
  public:
    /**
     * @param nodes number of nodes
     * @param shared number of leading parameters that are shared
     */
    SensitivityExchange(std::size_t nodes, std::size_t shared);

    /**
     * @brief Posts a node's parameters after its step and before its noise.
     * @param node the node
     * @param round its round
     * @param z its parameters, immutable from now on
     * @param w its push-sum weight
     */
    void Post(NodeId node, Round round, ParameterHandle z, double w);

    /// Largest distance of a node to any other; empty until all nodes have posted.
    std::optional<double> Of(NodeId node, Round round);

    /// Largest distance between any two of the nodes that have posted.
    double Largest(Round round);

  private:
    /// Measurements of a round.
    struct Entry
    {
        std::map<NodeId, ParameterHandle> states; ///< parameters, until all have posted and are
                                                  ///< compared
        std::map<NodeId, double> weights;         ///< w of each node
        std::map<NodeId, double> distances;       ///< largest distance of each node, once all are
                                                  ///< compared
    };

    /// Largest number of rounds kept: crashed nodes may leave rounds incomplete permanently.
    static constexpr std::size_t MOST_ROUNDS = 8;

    std::map<NodeId, double> Compare(const Entry& entry) const;
    void Complete(Entry& entry) const;

    std::size_t m_nodes;              ///< n
    std::size_t m_shared;             ///< see SensitivityExchange()
    std::map<Round, Entry> m_entries; ///< by round
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SENSITIVITY_EXCHANGE_H
