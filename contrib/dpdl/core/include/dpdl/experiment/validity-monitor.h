// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_VALIDITY_MONITOR_H
#define DPDL_EXPERIMENT_VALIDITY_MONITOR_H

#include "dpdl/algorithm/assumption.h"
#include "dpdl/trace/trace-store.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Notes where a run voided an assumption, and which claims fall with it.
 *
 * Every event is a row of the view `violation`, once for each round, node and assumption. A claim
 * that rests on the assumption is void from that round on, at the node or, where the event has no
 * node, everywhere. What is certified does not rest on the network and never changes here: the
 * messages of other nodes are computed from releases that are accounted for already.
 */
class ValidityMonitor
{
  public:
    /// Rows that one assumption gets at most, before the one that counts the rest.
    static constexpr std::size_t MOST_ROWS = 1000;

    /**
     * @param claimRestsOn assumptions of the algorithm's claim
     * @param nodes number of nodes
     * @param store receives the rows
     */
    ValidityMonitor(std::vector<Assumption> claimRestsOn, std::size_t nodes, TraceStore& store);

    /**
     * @brief An assumption did not hold.
     * @param assumption which
     * @param round when
     * @param node where; empty: everywhere
     * @param detail one line: what happened
     */
    void Report(Assumption assumption,
                Round round,
                std::optional<NodeId> node,
                const std::string& detail);

    /// Why the claim for a node is void, one line: the event of the earliest round, whatever the
    /// order of the reports. "" while it stands.
    const std::string& ClaimVoid(NodeId node) const
    {
        return m_void[node].reason;
    }

    /// Writes, for every assumption with too many events, how many have no row.
    void Finish();

  private:
    /// The events of one assumption.
    struct Events
    {
        std::set<std::pair<Round, std::optional<NodeId>>> written; ///< those with a row
        std::size_t leftOut{0};                                    ///< those without
        Round last{0};                                             ///< round of the last of them
    };

    /// What voids a claim.
    struct Cause
    {
        Round round{0};          ///< of the event
        Assumption assumption{}; ///< of events of one round, the first in this order counts
        std::string reason{};    ///< one line; "": the claim stands
    };

    std::vector<Assumption> m_claimRestsOn; ///< assumptions of the claim
    std::vector<Cause> m_void;              ///< by node, see ClaimVoid()
    TraceStore& m_store;                    ///< receives the rows
    std::map<Assumption, Events> m_events;  ///< what has happened
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_VALIDITY_MONITOR_H
