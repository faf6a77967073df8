// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_ENERGY_LOG_H
#define DPDL_EXPERIMENT_ENERGY_LOG_H

#include "dpdl/trace/trace-store.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// What a radio has taken in one of its states since the start.
struct EnergyUse
{
    std::string state; ///< what the state is called
    double seconds{0}; ///< in that state
    double joule{0};   ///< taken in that state
};

/// Records the energy of the nodes' radios, and their batteries' lives, as far as there are any.
class EnergyLog
{
  public:
    /// The energy that a node's radio has taken up to now; empty: not measured.
    using Meter = std::function<std::vector<EnergyUse>(NodeId)>;

    /**
     * @param nodes number of nodes
     * @param store receives the rows and the items `energy_total` and `energy_worst`
     */
    EnergyLog(std::size_t nodes, TraceStore& store);

    /// @param meter is asked from now on
    void SetMeter(Meter meter);

    /// @param count nodes of the run that have a battery
    void SetBatteries(std::size_t count)
    {
        m_batteries = count;
    }

    /**
     * @brief A battery is empty, or is no longer.
     *
     * Sets the items `batteries_empty`, `lifetime_first` and, when half of those that have a
     * battery have been without power at least once, `lifetime_half`.
     * @param node whose
     * @param isEmpty which of both
     * @param time simulated seconds
     */
    void NoteBattery(NodeId node, bool isEmpty, double time);

    /// True if every node of the run has an empty battery.
    bool IsLifeOver() const
    {
        return m_empty.size() == m_nodes;
    }

    /// Writes a row for each node and state. @param round rounds done by all nodes
    void Write(Round round);

  private:
    std::size_t m_nodes;        ///< number of nodes
    TraceStore& m_store;        ///< receives the rows
    Meter m_meter;              ///< may be empty
    std::size_t m_batteries{0}; ///< see SetBatteries()
    std::set<NodeId> m_empty;   ///< whose batteries are empty
    std::set<NodeId> m_failed;  ///< whose batteries were so at least once
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_ENERGY_LOG_H
