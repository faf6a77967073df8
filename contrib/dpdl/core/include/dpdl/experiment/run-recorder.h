// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RECORDER_H
#define DPDL_EXPERIMENT_RUN_RECORDER_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/algorithm/learner.h"
#include "dpdl/experiment/checkpoint-log.h"
#include "dpdl/experiment/completed-rounds.h"
#include "dpdl/experiment/delivery-log.h"
#include "dpdl/experiment/energy-log.h"
#include "dpdl/experiment/evaluation-log.h"
#include "dpdl/experiment/mix-log.h"
#include "dpdl/experiment/position-log.h"
#include "dpdl/experiment/privacy-recorder.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/experiment/validity-monitor.h"
#include "dpdl/trace/trace-store.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

struct FailureChange;

/// The progress of a run, for its user.
struct Progress
{
    Round round{0};                    ///< rounds that every node that is up has finished
    Round rounds{0};                   ///< rounds of the run
    double accuracy{-1.0};             ///< mean accuracy when last evaluated, -1 before that
    std::optional<double> epsilon;     ///< what the guard lets no node exceed; none: no guard
    double sensitivity{0.0};           ///< S that noise was last scaled by; 0 if not estimated
    std::vector<std::string> warnings; ///< what happened in this round that the user should know
};

/**
 * @brief Turns what the learners do into rows of a trace.
 *
 * Rows that speak of a round as a whole (accuracy, mass, guarantee) are written when the last of
 * the nodes that are up has passed that point of the round; nodes may be rounds apart until then.
 */
class RunRecorder : public LearnerObserver
{
  public:
    /**
     * @param run what is in force
     * @param context shared by the learners; its plan, graph, ledger and backend are set
     * @param store receives the rows
     * @param headerBytes wire size of a message without its parameters
     * @param guard stops nodes at their budget; nullptr: nothing does
     */
    RunRecorder(const ResolvedRun& run,
                const LearnerContext& context,
                TraceStore& store,
                std::uint64_t headerBytes,
                PrivacyBudget* guard = nullptr);

    void OnBegin(NodeId node, Round round) override;
    void OnStep(const NodeJob& job, double startedAt, double now) override;
    void OnAnnounced(const NodeJob& job) override;
    void OnSensitivity(const SensitivityReport& report) override;
    std::uint32_t OnSent(const Share& share, double now) override;
    void OnLost(const Share& share, const MessageLoss& loss, LostMass mass, double at) override;
    void OnArrived(const Share& share, Arrival arrival, double now) override;
    void OnForgotten(const Share& share, LostMass mass) override;
    void OnCrashed(NodeId node, Round round, bool keptState, bool hasSent, double now) override;
    void OnRecovered(NodeId node, double now) override;
    void OnMixed(NodeId node,
                 Round round,
                 ScaledDouble kept,
                 const std::vector<Share>& used,
                 double now) override;

    /// A message goes to another rank, which files it from now on: OnSent() there opens its row.
    void HandOver(const Share& share);

    /// A failure of the network begins or ends.
    void OnFailure(const FailureChange& change);

    /// Is called whenever all nodes that are up have finished a round.
    void SetProgressCallback(std::function<void(const Progress&)> callback)
    {
        m_progressCallback = std::move(callback);
    }

    /// Receives every finished local step, with the bits of `copy` if a snapshot is due.
    void SetStepCallback(std::function<void(const NodeJob&)> callback)
    {
        m_stepCallback = std::move(callback);
    }

    /// @param positions give the nodes' positions from now on; by default they are unknown
    void SetPositions(PositionLog::Locator positions)
    {
        m_positions.SetLocator(std::move(positions));
    }

    /// @param meter gives the radios' energy from now on; by default it is not measured
    void SetEnergyMeter(EnergyLog::Meter meter)
    {
        m_energies.SetMeter(std::move(meter));
    }

    /// @param count nodes of the run that have a battery
    void SetBatteries(std::size_t count)
    {
        m_energies.SetBatteries(count);
    }

    /// Bytes that acknowledgements and repeated messages took; by default none.
    void SetRepairBytes(std::uint64_t bytes)
    {
        m_repairBytes = bytes;
    }

    /// Commits all rows: later rows are for readers, until the run is resumed.
    void Settle(double simulatedSeconds);

    /// Writes what is left: open messages, guarantees of every node, summary.
    void Finish(double simulatedSeconds, bool complete);

    /// Wall time spent in this class and the store, without the models it had evaluated, in s.
    double TraceSeconds() const
    {
        return m_traceSeconds;
    }

    /// Wall time spent in privacy accounting, in s.
    double PrivacySeconds() const
    {
        return m_privacySeconds;
    }

    /// Receives what the run's network, or anything else, did to the assumptions of its claim.
    ValidityMonitor& Validity()
    {
        return m_validity;
    }

    /// Releases of each node.
    const PrivacyLedger& Releases() const
    {
        return m_privacy.Releases();
    }

    /// Fates of the messages.
    const DeliveryLog& Deliveries() const
    {
        return m_deliveries;
    }

  private:
    class Stopwatch;

    /// State of a round that some nodes have not begun.
    struct RoundState
    {
        double readyAt{0.0};  ///< when the last node had closed the round before
        double mixError{0.0}; ///< largest of the mixings that led to its z
        MassByRound mass;     ///< when the last node closed the round before
    };

    void CloseWhatIsDone(double now);

    /// Commits what the store holds if it is much. @param isEnd a round has just been closed
    void CommitIfDue(bool isEnd, double now);

    /// Sets what the summary says of the run so far and rows do not.
    void SetFigures(double simulatedSeconds);

    void CloseStart(Round round);
    std::uint64_t BytesOf(const Share& share) const;
    void CloseRound(Round round, double now);
    void ReportLate(NodeId node, Round round, const std::vector<Share>& used);
    void AddReleases(const NodeJob& job);
    void AddNoise(const NodeJob& job);
    void AddRoundGuarantee(Round round);

    const ResolvedRun& m_run;        ///< of the run
    const LearnerContext& m_context; ///< shared by the learners
    TraceStore& m_store;             ///< receives the rows
    std::uint64_t m_headerBytes;     ///< of a message
    DeliveryLog m_deliveries;        ///< one row a message
    ValidityMonitor m_validity;      ///< see Validity()
    PrivacyRecorder m_privacy;       ///< what was released, and what that costs
    EvaluationLog m_evaluations;     ///< accuracy
    CompletedRounds m_stepped;       ///< local steps done
    CompletedRounds m_mixed;         ///< rounds closed by nodes that are up
    MixLog m_mixes;                  ///< what q is measured from
    PositionLog m_positions;         ///< where nodes are
    EnergyLog m_energies;            ///< what radios have taken
    CheckpointLog m_checkpoints;     ///< what it takes to go on from here
    /// when the last rounds were committed
    std::chrono::steady_clock::time_point m_settled{std::chrono::steady_clock::now()};
    Round m_closedStarts{0};                                 ///< rounds whose start is recorded
    std::map<Round, RoundState> m_rounds;                    ///< rounds that are not closed
    std::vector<RoundByNode> m_nodeRows;                     ///< by node, of the round it is in
    Progress m_progress;                                     ///< last state reported
    std::function<void(const NodeJob&)> m_stepCallback;      ///< see SetStepCallback()
    std::function<void(const Progress&)> m_progressCallback; ///< may be empty
    std::uint64_t m_announcements{0};                        ///< of sensitivities, sent
    std::uint64_t m_repairBytes{0};                          ///< see SetRepairBytes()
    double m_traceSeconds{0.0};                              ///< wall time of writing rows
    double m_privacySeconds{0.0};                            ///< wall time of accountants
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RECORDER_H
