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
 * @brief Records violations of assumptions in a run, and determines which nodes' claims (epsilons
 *        of the algorithm's paper) they invalidate.
 *
 * The view `violation` has a row for each round, node and assumption with a violation. A claim that
 * depends on the assumption is void from that round on, at the node or, for a violation without a
 * node, at all nodes. Violations do not affect the certified epsilon, which does not depend on the
 * network: messages of other nodes are computed from releases that are already in the ledger.
 */
class ValidityMonitor
{
  public:
    /// Largest number of rows of one assumption. A further row then has the number of violations
    /// without a row.
    static constexpr std::size_t MOST_ROWS = 1000;

    /**
     * @param claimRestsOn assumptions on which the algorithm's claim depends
     * @param nodes number of nodes
     * @param store receives the rows of the view `violation`
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

    /// Reason why the claim for a node is void, one line: the violation in the earliest round,
    /// regardless of the order of the reports. "" if the claim is valid.
    const std::string& ClaimVoid(NodeId node) const
    {
        return m_void[node].reason;
    }

    /// Writes a row with the number of violations without a row, for each assumption with more than
    /// MOST_ROWS violations.
    void Finish();

  private:
    /// Violations of one assumption.
    struct Events
    {
        std::set<std::pair<Round, std::optional<NodeId>>> written; ///< violations with a row
        std::size_t leftOut{0}; ///< number of violations without a row
        Round last{0};          ///< latest round of a violation without a row
    };

    /// Violation that makes a claim void.
    struct Cause
    {
        Round round{0}; ///< round of the violation
        /// Violated assumption; if several are violated in this round, the first of the
        /// enumeration.
        Assumption assumption{};
        std::string reason{}; ///< reason why the claim is void, one line; "": the claim is valid
    };

    std::vector<Assumption> m_claimRestsOn; ///< assumptions of the claim
    std::vector<Cause> m_void; ///< for each node: reason why the claim is void, see ClaimVoid()
    TraceStore& m_store;       ///< receives the rows
    std::map<Assumption, Events> m_events; ///< violations so far, by assumption
};

} // namespace dpdl

#endif // DPDL_DERIVE_VALIDITY_MONITOR_H
