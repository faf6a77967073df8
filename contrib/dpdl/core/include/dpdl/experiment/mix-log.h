// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_MIX_LOG_H
#define DPDL_EXPERIMENT_MIX_LOG_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/derive/q-monitor.h"
#include "dpdl/experiment/completed-rounds.h"
#include "dpdl/experiment/resolve.h"

#include <map>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Mixed shares of each round, for the measurement of q.
 *
 * A round is measured when all nodes have mixed it; for crashed nodes, which may return, it waits
 * until the end of the run. The first rank of a run measures for all: the other ranks send it the
 * mixed shares of their nodes.
 */
class MixLog
{
  public:
    /**
     * @param run resolved options
     * @param context shared by the learners; its graph and ledger are set
     * @param store receives the rows of q
     * @param validity receives windows that do not connect all nodes
     */
    MixLog(const ResolvedNetwork& run,
           const LearnerContext& context,
           TraceStore& store,
           ValidityMonitor& validity);

    /**
     * @brief Adds the mixed shares of a node that closed a round.
     * @param node the node
     * @param round the round
     * @param kept mass of the share that it kept
     * @param used the shares of other nodes that it mixed
     */
    void Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used);

    /// Earliest round whose designed graph is still needed.
    Round FirstRound() const;

    /// Measures the remaining rounds. @param rounds that every running node has closed
    void Finish(Round rounds);

  private:
    /// By node: the shares that it mixed in a round.
    using MixedShares = std::vector<std::vector<MixedShare>>;

    void Take(NodeId node, Round round, const std::vector<MixedShare>& shares);
    void MeasureUpTo(Round end);
    std::vector<ScaledDouble> Weights() const;

    const ResolvedNetwork& m_run;    ///< resolved network options of the run
    const LearnerContext& m_context; ///< data that all learners share
    std::unique_ptr<QMonitor> m_q;   ///< contraction, window by window; empty: not measured on this
                                     ///< rank
    CompletedRounds m_mixed;         ///< rounds that nodes have closed, up or down
    Round m_measured{0};             ///< number of rounds passed to q
    std::map<Round, MixedShares> m_shares; ///< mixed shares of rounds not yet passed to m_q
    std::vector<MixedShare> m_used;        ///< shares of the last mixing; its memory is reused
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MIX_LOG_H
