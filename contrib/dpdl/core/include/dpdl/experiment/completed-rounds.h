// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_COMPLETED_ROUNDS_H
#define DPDL_EXPERIMENT_COMPLETED_ROUNDS_H

#include "dpdl/base/types.h"
#include "dpdl/experiment/run-part.h"

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief Number of rounds that all nodes which are up have completed; nodes may be rounds apart.
 *
 * A node that is down delays no other: its rows of a round that come after its return are late.
 */
class CompletedRounds
{
  public:
    /// @param nodes number of nodes; all are up and have done nothing
    explicit CompletedRounds(std::size_t nodes);

    /// Waits for the nodes of @p part alone; before the first round.
    void Restrict(const RunPart& part);

    /// @p node has done one more round; O(log of the rounds that nodes are apart).
    void Advance(NodeId node);

    /// @p node is out of action, or back.
    void SetDown(NodeId node, bool down);

    /**
     * @brief Rounds that every node that is up has done.
     * @return never less than before: a round that is behind the others stays so when a node comes
     *         back that has not done it
     */
    Round Done() const
    {
        return m_done;
    }

    /// Rounds that @p node has done.
    Round Of(NodeId node) const
    {
        return m_nodes[node].done;
    }

  private:
    /// One node.
    struct Place
    {
        Round done{0};    ///< rounds it has done
        bool down{false}; ///< it is not waited for
    };

    void Leave(Round round);
    void Update();

    std::vector<Place> m_nodes;           ///< by node
    std::map<Round, std::size_t> m_count; ///< nodes that are up, by rounds done
    Round m_done{0};                      ///< see Done()
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPLETED_ROUNDS_H
