// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_COMPLETED_ROUNDS_H
#define DPDL_EXPERIMENT_COMPLETED_ROUNDS_H

#include "dpdl/base/types.h"
#include "dpdl/experiment/rank-block.h"

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief Counts the rounds that all running nodes have completed. Nodes may be several rounds
 *        apart.
 *
 * A node that is down does not delay the count. After a node recovers, rounds that it completes
 * below the count do not change the count.
 */
class CompletedRounds
{
  public:
    /// @param nodes number of nodes; all start as running, with no completed round
    explicit CompletedRounds(std::size_t nodes);

    /// Counts only the nodes that the process @p part of an MPI run simulates. Must be called
    /// before the first round.
    void Restrict(const RankBlock& part);

    /// Records that @p node has completed one more round. Takes O(log d) time, with d the
    /// difference in rounds between the slowest and the fastest node.
    void Advance(NodeId node);

    /// Records that @p node has crashed (@p down is true), or is running again (false).
    void SetDown(NodeId node, bool down);

    /**
     * @brief Number of rounds that every running node has completed.
     * @return the number; it never decreases, even if a node recovers that has not completed these
     *         rounds
     */
    Round Done() const
    {
        return m_done;
    }

    /// Number of rounds that @p node has completed.
    Round Of(NodeId node) const
    {
        return m_nodes[node].done;
    }

  private:
    /// Number of completed rounds of a node, and its state.
    struct Place
    {
        Round done{0};    ///< number of rounds that the node has completed
        bool down{false}; ///< true: the node is down and not counted
    };

    void Leave(Round round);
    void Update();

    std::vector<Place> m_nodes;           ///< state of each node
    std::map<Round, std::size_t> m_count; ///< number of running nodes, by completed rounds
    Round m_done{0}; ///< number of rounds that all running nodes have completed
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPLETED_ROUNDS_H
