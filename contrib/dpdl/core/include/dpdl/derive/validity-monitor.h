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
 * @brief Records violations of a claim's assumptions, and determines the nodes whose claims are
 *        void. A claim is the epsilon by the formula of the algorithm's paper.
 *
 * The view `violation` has a row for each round, node and assumption with a violation. A claim that
 * depends on the assumption is void from that round on. A violation without a node makes the claims
 * of all nodes void. Violations do not affect the certified epsilon, because it does not depend on
 * the network.
 */
class ValidityMonitor
{
  public:
    /// Largest number of rows for one assumption. If there are more violations, one further row has
    /// the number of those without a row.
    static constexpr std::size_t MOST_ROWS = 1000;

    /**
     * @param claimRestsOn assumptions on which the algorithm's claim depends
     * @param nodes number of nodes
     * @param store receives the rows of the view `violation`; must outlive this object
     */
    ValidityMonitor(std::vector<Assumption> claimRestsOn, std::size_t nodes, TraceStore& store);

    /**
     * @brief Records a violation.
     * @param assumption the violated assumption
     * @param round round of the violation
     * @param node node of the violation; empty: all nodes
     * @param detail explanation in one line, for the trace
     */
    void Report(Assumption assumption,
                Round round,
                std::optional<NodeId> node,
                const std::string& detail);

    /// Reason why the claim for a node is void, one line: the violation in the earliest round. "":
    /// the claim is valid.
    const std::string& ClaimVoid(NodeId node) const
    {
        return m_void[node].reason;
    }

    /// Writes the last rows: for each assumption with more than MOST_ROWS violations, the number of
    /// violations without a row.
    void Finish();

  private:
    /// Violations of one assumption.
    struct Events
    {
        std::set<std::pair<Round, std::optional<NodeId>>> written; ///< violations with a row
        std::size_t leftOut{0}; ///< number of violations without a row
        Round last{0};          ///< latest round with a violation that has no row
    };

    /// Violation that makes a claim void.
    struct Cause
    {
        Round round{0}; ///< round of the violation
        /// Violated assumption; the first in the enumeration if several are violated in that round.
        Assumption assumption{};
        std::string reason{}; ///< reason why the claim is void, one line; "": the claim is valid
    };

    std::vector<Assumption> m_claimRestsOn; ///< assumptions on which the algorithm's claim depends
    std::vector<Cause> m_void; ///< by node: earliest violation that makes its claim void
    TraceStore& m_store;       ///< receives the rows
    std::map<Assumption, Events> m_events; ///< violations so far, by assumption
};

} // namespace dpdl

#endif // DPDL_DERIVE_VALIDITY_MONITOR_H
