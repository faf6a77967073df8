// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_RECORDER_H
#define DPDL_EXPERIMENT_RUN_RECORDER_H

#include "dpdl/algorithm/learner-observer.h"
#include "dpdl/experiment/checkpoint-log.h"
#include "dpdl/experiment/completed-rounds.h"
#include "dpdl/experiment/delivery-log.h"
#include "dpdl/experiment/energy-log.h"
#include "dpdl/experiment/evaluation-log.h"
#include "dpdl/experiment/mix-log.h"
#include "dpdl/experiment/privacy-recorder.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/trace/trace-store.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

struct FailureChange;

/// Progress of a run, for display to the user.
struct Progress
{
    Round round{0};  ///< number of rounds that every running node has completed
    Round rounds{0}; ///< number of rounds of the run
    /// Mean accuracy of the last evaluation, in [0, 1]; -1: no evaluation yet; NaN: a node has
    /// diverged.
    double accuracy{-1.0};
    /// Upper bound on every node's epsilon at the run's delta; empty: no privacy budget.
    std::optional<double> epsilon;
    double sensitivity{0.0}; ///< sensitivity S that scaled the last noise (DPPS); 0: not estimated
    std::vector<std::string> warnings; ///< new warnings in this round, one line each
};

/**
 * @brief Converts the events of the learners into rows of a trace.
 *
 * Rows about a whole round (accuracy, mass, guarantee) are written when the last running node has
 * completed the step or the mixing of the round. Nodes may be several rounds apart.
 */
class RunRecorder : public LearnerObserver
{
  public:
    /**
     * @param run resolved options; must outlive this object
     * @param context data shared by the learners; its plan, graph, ledger and backend must be set;
     *        must outlive this object
     * @param store receives the rows; must outlive this object
     * @param headerBytes wire size of a message without its parameters, in bytes
     * @param budget stops nodes at their privacy budget; nullptr: no limit
     */
    RunRecorder(const ResolvedRun& run,
                const LearnerContext& context,
                TraceStore& store,
                std::uint64_t headerBytes,
                PrivacyBudget* budget = nullptr);

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

    /// Removes the row of a message to a node of another rank. That rank opens the row by OnSent().
    void HandOver(const Share& share);

    /// Records the start or end of a failure in view `link_event`, and changes of batteries in the
    /// log of energies.
    void OnFailure(const FailureChange& change);

    /// Sets the callback for the run's progress; replaces an earlier callback.
    /// @param callback receives the progress after each round that all running nodes have completed
    void SetProgressCallback(std::function<void(const Progress&)> callback)
    {
        m_progressCallback = std::move(callback);
    }

    /// Sets the callback for local steps; replaces an earlier callback.
    /// @param callback receives the job of every completed local step. If a snapshot is due,
    /// NodeJob::copy has the node's parameters
    void SetStepCallback(std::function<void(const NodeJob&)> callback)
    {
        m_stepCallback = std::move(callback);
    }

    /// Log of the nodes' positions; the caller may set their source.
    PositionLog& Positions()
    {
        return m_positions;
    }

    /// Log of the radios' energy; the caller may set its source and the number of batteries.
    EnergyLog& Energies()
    {
        return m_energies;
    }

    /// Sets the number of bytes of acknowledgements and retransmissions in the summary; by default
    /// 0.
    void SetRepairBytes(std::uint64_t bytes)
    {
        m_repairBytes = bytes;
    }

    /// Commits all rows, so a resumed run continues after the last of them.
    /// @param simulatedSeconds current time, in simulated seconds
    void Settle(double simulatedSeconds);

    /// Writes the remaining rows: messages in flight, guarantees of all nodes, and the summary.
    /// @param simulatedSeconds end of the run, in simulated seconds
    /// @param complete false: the run was interrupted
    void Finish(double simulatedSeconds, bool complete);

    /// Progress of the run so far. Before the first completed round, `round` is 0 and `accuracy` is
    /// -1. Finish() sets `accuracy` to that of the last evaluation.
    const Progress& LastProgress() const
    {
        return m_progress;
    }

    /// New warnings for the user since the last call, one line each.
    std::vector<std::string> TakeWarnings();

    /// Wall-clock time of writing rows, in s, without privacy accounting and evaluations of models.
    double TraceSeconds() const
    {
        return m_traceSeconds;
    }

    /// Wall-clock time of privacy accounting, in s.
    double PrivacySeconds() const
    {
        return m_privacySeconds;
    }

    /// Monitor of the claims' assumptions. The driver reports violations by the network to it.
    ValidityMonitor& Validity()
    {
        return m_validity;
    }

    /// Releases recorded so far, by node.
    const PrivacyLedger& Releases() const
    {
        return m_privacy.Releases();
    }

    /// Log of all messages and their fates.
    const DeliveryLog& Deliveries() const
    {
        return m_deliveries;
    }

  private:
    /// Adds the wall-clock time of its scope to a sum. The time that the backend computes is
    /// excluded.
    class Stopwatch
    {
      public:
        Stopwatch(RunRecorder& recorder, double& seconds, double* around = nullptr)
            : m_recorder(recorder),
              m_seconds(seconds),
              m_around(around),
              m_compute(recorder.m_context.backend->ComputeSeconds()),
              m_start(std::chrono::steady_clock::now())
        {
        }

        ~Stopwatch()
        {
            const std::chrono::duration<double> elapsed =
                std::chrono::steady_clock::now() - m_start;
            const double computed = m_recorder.m_context.backend->ComputeSeconds() - m_compute;
            m_seconds += elapsed.count() - computed;
            if (m_around != nullptr)
            {
                *m_around -= elapsed.count() - computed;
            }
        }

        Stopwatch(const Stopwatch&) = delete;
        Stopwatch& operator=(const Stopwatch&) = delete;

      private:
        const RunRecorder& m_recorder; ///< recorder whose backend's time is excluded
        double& m_seconds;             ///< sum to which the time is added, s
        double* m_around;              ///< sum of an enclosing Stopwatch, from which this time is
                                       ///< subtracted; nullptr: none
        double m_compute; ///< seconds that the backend had computed when the scope began
        std::chrono::steady_clock::time_point m_start; ///< time at which the scope began
    };

    /// State of a round that not all running nodes have closed.
    struct RoundState
    {
        double readyAt{0.0}; ///< simulated time at which the last node closed the previous round, s
        double mixError{0.0}; ///< largest MixingError() of any node in this round
        MassByRound mass;     ///< push-sum masses at the time `readyAt`
    };

    void CloseWhatIsDone(double now);

    /// Commits the pending rows if there are at least ROWS_PER_COMMIT of them at the end of a
    /// round, or four times as many within a round. At the end of a round it also commits if a
    /// checkpoint is due, or if the last commit is at least TIME_PER_COMMIT of wall-clock time ago.
    /// @param isEnd true: a round has just been closed
    /// @param now current time, in simulated seconds
    void CommitIfDue(bool isEnd, double now);

    /// Writes the items of the summary that other classes do not write.
    void SetFigures(double simulatedSeconds);

    void CloseStart(Round round);
    std::uint64_t BytesOf(const Share& share) const;
    void CloseRound(Round round, double now);
    void ReportLate(NodeId node, Round round, const std::vector<Share>& used);
    void NoteDivergence(const NodeJob& job);
    void AddNoise(const NodeJob& job);

    const ResolvedRun& m_run;        ///< resolved options
    const LearnerContext& m_context; ///< data that all learners share
    TraceStore& m_store;             ///< receives the rows
    std::uint64_t m_headerBytes;     ///< wire size of a message without its parameters
    DeliveryLog m_deliveries;        ///< log of all messages and their fates
    ValidityMonitor m_validity;      ///< monitor of the claims' assumptions
    PrivacyRecorder m_privacy;       ///< keeps the privacy ledger and writes the guarantees
    EvaluationLog m_evaluations;     ///< writes the rows of accuracy
    CompletedRounds m_stepped;   ///< counts the rounds whose local step all running nodes have done
    CompletedRounds m_mixed;     ///< counts the rounds whose mixing all running nodes have done
    MixLog m_mixes;              ///< collects the mixed shares, to measure q
    PositionLog m_positions;     ///< writes the rows of positions
    EnergyLog m_energies;        ///< writes the rows of radio energy
    CheckpointLog m_checkpoints; ///< writes checkpoints, from which the run can be resumed
    /// Wall-clock time of the last commit.
    std::chrono::steady_clock::time_point m_settled{std::chrono::steady_clock::now()};
    /// Number of rounds whose rows about the starting models (accuracy, mass) are written.
    Round m_closedStarts{0};
    /// State of rounds that not all running nodes have closed.
    std::map<Round, RoundState> m_rounds;
    std::vector<RoundByNode> m_nodeRows; ///< row of each node's current round
    Progress m_progress;                 ///< progress of the run so far
    std::optional<Round> m_divergedIn;   ///< first round in which a node diverged; empty: none
    std::vector<std::string> m_warnings; ///< new warnings for the user, one line each
    /// Receives every completed local step; empty: none.
    std::function<void(const NodeJob&)> m_stepCallback;
    /// Receives the progress; empty: none.
    std::function<void(const Progress&)> m_progressCallback;
    std::uint64_t m_announcements{0}; ///< number of sent announcements of sensitivities
    std::uint64_t m_repairBytes{0};   ///< number of bytes of acknowledgements and retransmissions
    double m_traceSeconds{0.0};       ///< wall-clock time of writing rows, s
    double m_privacySeconds{0.0};     ///< wall-clock time of privacy accounting, s
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_RECORDER_H
