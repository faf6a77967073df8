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
 * @brief Collects the shares that nodes mixed in each round, to measure the contraction q.
 *
 * A round is measured once all nodes have mixed it. Crashed nodes may return, so rounds that they
 * have not mixed are measured at the end of the run. In a run on several ranks only the first rank
 * measures; the other ranks send it the shares that their nodes mixed.
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
     * @param kept push-sum mass that the node kept
     * @param used the shares of other nodes that it mixed
     */
    void Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used);

    /// Earliest round whose graph is still needed; graphs of earlier rounds may be forgotten.
    Round FirstRound() const;

    /// Measures all rounds that are not yet measured. @param rounds number of rounds that every
    /// running node has closed
    void Finish(Round rounds);

  private:
    /// By node: the shares that it mixed in a round.
    using MixedShares = std::vector<std::vector<MixedShare>>;

    void Take(NodeId node, Round round, const std::vector<MixedShare>& shares);
    void MeasureUpTo(Round end);
    std::vector<ScaledDouble> Weights() const;

    const ResolvedNetwork& m_run;    ///< resolved network options of the run
    const LearnerContext& m_context; ///< data that all learners share
    /// Measures q in each window of rounds; empty: q is not measured on this rank.
    std::unique_ptr<QMonitor> m_q;
    CompletedRounds m_mixed; ///< rounds that nodes have closed, crashed nodes included
    Round m_measured{0};     ///< number of rounds passed to m_q
    std::map<Round, MixedShares> m_shares; ///< mixed shares of rounds not yet passed to m_q
    std::vector<MixedShare> m_used;        ///< shares of the last mixing; its memory is reused
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MIX_LOG_H
