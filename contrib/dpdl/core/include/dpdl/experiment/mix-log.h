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
 * @brief Collects the shares that nodes mixed in each round, from which QMonitor measures q, the
 *        factor by which the differences between the nodes' models contract per round.
 *
 * A round is measured when all nodes have mixed it. A round that a crashed node has not mixed is
 * measured at the end of the run, because the node may recover before then. In a run on several
 * ranks, only rank 0 measures. The other ranks send rank 0 the shares that their nodes mixed.
 */
class MixLog
{
  public:
    /**
     * @param run resolved options; must outlive this object
     * @param context data shared by the learners; its graph and ledger must be set; must outlive
     *        this object
     * @param store receives a row of view `q_by_window` per window; must outlive this object
     * @param validity receives a violation for each window that does not connect all nodes
     *        strongly; must outlive this object
     */
    MixLog(const ResolvedNetwork& run,
           const LearnerContext& context,
           TraceStore& store,
           ValidityMonitor& validity);

    /**
     * @brief Adds the mixed shares of a node that closed a round.
     * @param node index of the node
     * @param round index of the round, from 0
     * @param kept push-sum mass of chunk 0 that the node kept
     * @param used shares that the node mixed, without the kept share. Shares with the node itself
     *        as source are lost shares whose mass returned
     */
    void Add(NodeId node, Round round, ScaledDouble kept, const std::vector<Share>& used);

    /// Earliest round whose graph this log still needs. The caller may forget the graphs of earlier
    /// rounds.
    Round FirstRound() const;

    /// Measures all rounds that are not measured yet.
    /// @param rounds number of rounds to measure in total
    void Finish(Round rounds);

  private:
    /// By node: the shares that the node mixed in a round.
    using MixedShares = std::vector<std::vector<MixedShare>>;

    void Take(NodeId node, Round round, const std::vector<MixedShare>& shares);
    void MeasureUpTo(Round end);
    std::vector<ScaledDouble> Weights() const;

    const ResolvedNetwork& m_run;    ///< resolved network options of the run
    const LearnerContext& m_context; ///< data that all learners share
    /// Measures q in each window of rounds; empty: this rank does not measure q.
    std::unique_ptr<QMonitor> m_q;
    CompletedRounds m_mixed; ///< rounds that nodes have mixed; crashed nodes also count
    Round m_measured{0};     ///< number of rounds passed to m_q
    std::map<Round, MixedShares> m_shares; ///< mixed shares of rounds not yet passed to m_q
    std::vector<MixedShare> m_used;        ///< buffer for the shares of one mixing
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_MIX_LOG_H
