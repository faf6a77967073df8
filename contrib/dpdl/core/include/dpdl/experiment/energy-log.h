// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_ENERGY_LOG_H
#define DPDL_EXPERIMENT_ENERGY_LOG_H

#include "dpdl/base/types.h"
#include "dpdl/trace/trace-store.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// Energy that a radio has used in one state since the start of the run.
struct EnergyUse
{
    std::string state; ///< name of the state in ns-3's energy model
    double seconds{0}; ///< time in that state, s
    double joule{0};   ///< energy used in that state, J
};

/// Records the energy of the nodes' radios, and the lifetimes of batteries.
class EnergyLog
{
  public:
    /// Returns the energy that a node's radio has used since the start, by state; empty: not
    /// measured.
    using Meter = std::function<std::vector<EnergyUse>(NodeId)>;

    /**
     * @param nodes number of nodes
     * @param store receives the rows, and the summary items `energy_total` and `energy_worst`; must
     *        outlive this object
     */
    EnergyLog(std::size_t nodes, TraceStore& store);

    /// Sets the source of energies; by default there is none. Must be called before the first
    /// round.
    /// @param meter source of energies; an empty function: Write() writes no rows
    void SetMeter(Meter meter)
    {
        m_meter = std::move(meter);
    }

    /// Sets the number of batteries, by default 0. Must be called before the first round.
    /// @param count number of nodes with a battery
    void SetBatteries(std::size_t count)
    {
        m_batteries = count;
    }

    /**
     * @brief Records that a battery has become empty, or has been recharged.
     *
     * Sets the summary items `batteries_empty` and `lifetime_first`. It also sets `lifetime_half`
     * as soon as half of the batteries have been empty at least once.
     * @param node owner of the battery
     * @param isEmpty true: the battery has become empty; false: it has been recharged
     * @param time time of the change, in simulated seconds
     */
    void NoteBattery(NodeId node, bool isEmpty, double time);

    /// True if every node of the run has a battery and all batteries are empty.
    bool IsLifeOver() const
    {
        return m_empty.size() == m_nodes;
    }

    /// Writes a row for each node and radio state, and sets the energy items of the summary.
    /// @param round number of rounds that all nodes have completed
    void Write(Round round);

  private:
    std::size_t m_nodes;        ///< number of nodes
    TraceStore& m_store;        ///< receives the rows
    Meter m_meter;              ///< source of the energies; empty: none
    std::size_t m_batteries{0}; ///< number of nodes with a battery
    std::set<NodeId> m_empty;   ///< nodes with an empty battery
    std::set<NodeId> m_failed;  ///< nodes whose battery has been empty at least once
};

/**
 * @brief Records the positions of nodes at the start of their rounds in view `position_by_round`.
 *
 * A node has a row for its first round, and a row for every round before which it has moved. In
 * other rounds, its position is that of its previous row.
 */
class PositionLog
{
  public:
    /// Returns the current position of a node; empty if the node has none.
    using Locator = std::function<std::optional<Position>(NodeId)>;

    /**
     * @param nodes number of nodes of the run
     * @param store receives the rows; must outlive this object. nullptr: no rows are written
     */
    PositionLog(std::size_t nodes, TraceStore* store);

    /// Sets the source of positions. Without a source, positions are unknown. Must be called before
    /// the first round.
    /// @param locator source of the nodes' positions
    void SetLocator(Locator locator)
    {
        m_locator = std::move(locator);
    }

    /**
     * @brief Records the position of a node that begins a round. A second call for the same round
     *        has no effect.
     * @param node index of the node
     * @param round index of the round, from 0
     */
    void Begin(NodeId node, Round round);

  private:
    TraceStore* m_store; ///< receives the rows
    Locator m_locator;   ///< source of the nodes' positions; empty: unknown
    std::vector<std::optional<PositionByRound>> m_rows; ///< last row of each node
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_ENERGY_LOG_H
