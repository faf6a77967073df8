// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_VALIDITY_MONITOR_H
#define DPDL_DERIVE_VALIDITY_MONITOR_H

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/types.h"
#include "dpdl/trace/trace-store.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Records violations of assumptions in a run, and the claims that they void.
 *
 * Every event is a row of the view `violation`, once for each round, node and assumption. A claim
 * that depends on the assumption is void from that round on, at the node or, if the event has no
 * node, everywhere. The certified epsilon does not depend on the network and does not change here:
 * messages of other nodes are computed from releases that are already in the ledger.
 */
class ValidityMonitor
{
  public:
    /// Largest number of rows of one assumption, before the row that counts the rest.
    static constexpr std::size_t MOST_ROWS = 1000;

    /**
     * @param claimRestsOn assumptions of the algorithm's claim
     * @param nodes number of nodes
     * @param store receives the rows
     */
    ValidityMonitor(std::vector<Assumption> claimRestsOn, std::size_t nodes, TraceStore& store);

    /**
     * @brief Records a violation.
     * @param assumption the violated assumption
     * @param round round of the violation
     * @param node the node; empty: all nodes
     * @param detail one line of explanation
     */
    void Report(Assumption assumption,
                Round round,
                std::optional<NodeId> node,
                const std::string& detail);

    /// Reason why the claim for a node is void, one line: the event of the earliest round,
    /// regardless of the order of the reports. "" if it is valid.
    const std::string& ClaimVoid(NodeId node) const
    {
        return m_void[node].reason;
    }

    /// Writes, for every assumption with too many events, the number without a row.
    void Finish();

  private:
    /// The events of one assumption.
    struct Events
    {
        std::set<std::pair<Round, std::optional<NodeId>>> written; ///< events with a row
        std::size_t leftOut{0}; ///< number of events without a row
        Round last{0};          ///< round of the last event without a row
    };

    /// Event that voids a claim.
    struct Cause
    {
        Round round{0}; ///< round of the event
        /// Violated assumption; of several in one round the first of the enumeration.
        Assumption assumption{};
        std::string reason{}; ///< reason why the claim is void, one line; "": the claim is valid
    };

    std::vector<Assumption> m_claimRestsOn; ///< assumptions of the claim
    std::vector<Cause> m_void; ///< by node: reason why the claim is void, see ClaimVoid()
    TraceStore& m_store;       ///< receives the rows
    std::map<Assumption, Events> m_events; ///< events so far, by assumption
};

} // namespace dpdl

#endif // DPDL_DERIVE_VALIDITY_MONITOR_H
