// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_ENERGY_LOG_H
#define DPDL_EXPERIMENT_ENERGY_LOG_H

#include "dpdl/trace/trace-store.h"

#include <functional>
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

/// Records the energy of the nodes' radios; nothing as long as it is not measured.
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

    /// Writes a row for each node and state. @param round rounds done by all nodes
    void Write(Round round);

  private:
    std::size_t m_nodes; ///< number of nodes
    TraceStore& m_store; ///< receives the rows
    Meter m_meter;       ///< may be empty
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_ENERGY_LOG_H
