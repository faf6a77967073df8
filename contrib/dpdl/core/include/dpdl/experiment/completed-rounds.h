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
 * @brief Number of rounds that all running nodes have completed; nodes may be rounds apart.
 *
 * A node that is down does not delay the rounds of others. After its return, its rows of rounds
 * that are already complete count as late.
 */
class CompletedRounds
{
  public:
    /// @param nodes number of nodes; initially all are up and have completed no round
    explicit CompletedRounds(std::size_t nodes);

    /// Counts only the nodes that the rank @p part simulates; must be called before the first
    /// round.
    void Restrict(const RankBlock& part);

    /// Records that @p node has completed one more round. Takes O(log d) time, where d is the
    /// number of rounds between the slowest and the fastest node.
    void Advance(NodeId node);

    /// Records that @p node is down, or up again.
    void SetDown(NodeId node, bool down);

    /**
     * @brief Rounds that every running node has completed.
     * @return never decreases, even if a node returns that has not completed these rounds
     */
    Round Done() const
    {
        return m_done;
    }

    /// Rounds that @p node has completed.
    Round Of(NodeId node) const
    {
        return m_nodes[node].done;
    }

  private:
    /// Number of rounds that a node has completed, and its state.
    struct Place
    {
        Round done{0};    ///< rounds that the node has completed
        bool down{false}; ///< the node is down and not counted
    };

    void Leave(Round round);
    void Update();

    std::vector<Place> m_nodes;           ///< state of each node
    std::map<Round, std::size_t> m_count; ///< number of running nodes, by completed rounds
    Round m_done{0};                      ///< rounds that all running nodes have completed
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPLETED_ROUNDS_H
