// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_MIX_LOG_H
#define DPDL_EXPERIMENT_MIX_LOG_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/experiment/completed-rounds.h"
#include "dpdl/experiment/q-monitor.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/experiment/validity-monitor.h"
#include "dpdl/trace/trace-store.h"

#include <map>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Mixed shares of each round, for the measurement of q.
 *
 * A round is measured when all nodes have mixed it: it waits for crashed ones, which may come back,
 * until the end of the run. The first rank of a run measures for all: the others tell it what their
 * nodes have mixed.
 */
class MixLog
{
  public:
    /**
     * @param run what is in force
     * @param context shared by the learners; its graph and ledger are set
     * @param store receives the rows of q
     * @param validity is notified of windows that do not connect all nodes
     */
    MixLog(const ResolvedRun& run,
           const LearnerContext& context,
           TraceStore& store,
           ValidityMonitor& validity);

    /**
     * @brief A node has closed a round.
     * @param node the node
     * @param round the round
     * @param kept mass of the share that it kept itself
     * @param used the shares of others that it mixed
     */
    void Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used);

    /// First round whose designed graph will be asked for again.
    Round FirstRound() const;

    /// Measures the rest of the run. @param rounds that every node that is up has closed
    void Finish(Round rounds);

  private:
    /// By node, what it mixed in a round.
    using MixedShares = std::vector<std::vector<MixedShare>>;

    void Take(NodeId node, Round round, const std::vector<MixedShare>& shares);
    void MeasureUpTo(Round end);
    std::vector<ScaledDouble> Weights() const;

    const ResolvedRun& m_run;        ///< what is in force
    const LearnerContext& m_context; ///< shared by the learners
    std::size_t m_nodes;             ///< n
    std::unique_ptr<QMonitor> m_q;   ///< contraction, window by window; empty: not measured here
    CompletedRounds m_mixed;         ///< rounds closed by nodes, up or down
    Round m_measured{0};             ///< rounds that q knows
    std::map<Round, MixedShares> m_shares; ///< rounds that q does not know
    std::vector<MixedShare> m_used;        ///< of the mixing that was added last
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MIX_LOG_H
