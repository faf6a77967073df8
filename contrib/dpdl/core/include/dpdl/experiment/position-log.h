// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_POSITION_LOG_H
#define DPDL_EXPERIMENT_POSITION_LOG_H

#include "dpdl/base/position.h"
#include "dpdl/trace/trace-store.h"

#include <functional>
#include <optional>
#include <vector>

namespace dpdl
{

/**
 * @brief Positions of nodes at the start of their rounds; view `position_by_round`.
 *
 * A node has a row for its first round, and one for every round before which it has moved. In any
 * other round its position is that of its previous row.
 */
class PositionLog
{
  public:
    /// Returns the present position of a node; empty if it has none.
    using Locator = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param nodes number of nodes of the run
     * @param store receives the rows; nullptr: no rows are written
     */
    PositionLog(std::size_t nodes, TraceStore* store);

    /// @param locator source of the nodes' positions from now on; by default they are unknown
    void SetLocator(Locator locator)
    {
        m_locator = std::move(locator);
    }

    /**
     * @brief Records the position of a node that begins a round; repeated calls for a round have no
     *        effect.
     * @param node the node
     * @param round the round
     */
    void Begin(NodeId node, Round round);

  private:
    TraceStore* m_store;                                ///< see the constructor
    Locator m_locator;                                  ///< see SetLocator()
    std::vector<std::optional<PositionByRound>> m_rows; ///< last row of each node
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_POSITION_LOG_H
