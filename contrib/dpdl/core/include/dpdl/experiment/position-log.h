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
 * @brief Positions of nodes when they begin their rounds; view `position_by_round`.
 *
 * A node has a row for the first round that it begins, and one for every round before which it has
 * moved. In any other round its position is that of its last row before.
 */
class PositionLog
{
  public:
    /// Position of a node now; empty if it has none.
    using Locator = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param nodes of the run
     * @param store receives the rows; nullptr: none are wanted
     */
    PositionLog(std::size_t nodes, TraceStore* store);

    /// @param locator gives the nodes' positions from now on; by default they are unknown
    void SetLocator(Locator locator)
    {
        m_locator = std::move(locator);
    }

    /**
     * @brief A node begins a round; a second time in the same round adds nothing.
     * @param node the node
     * @param round the round
     */
    void Begin(NodeId node, Round round);

  private:
    TraceStore* m_store;                                ///< see the constructor
    Locator m_locator;                                  ///< see SetLocator()
    std::vector<std::optional<PositionByRound>> m_rows; ///< by node, its last row
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_POSITION_LOG_H
