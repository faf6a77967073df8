// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_EXPERIMENT_H
#define DPDL_EXPERIMENT_EXPERIMENT_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/experiment/run-recorder.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Bytes of a message without its parameters; see doc/formats/message.md.
constexpr std::uint64_t MESSAGE_HEADER_BYTES = 52;

/**
 * @brief Everything of a run but its clock and its network: data, models, learners, ledgers, trace.
 *
 * Its driver (the ns-3 application, or LockstepRun) moves the learners through their rounds
 * and carries their shares. Building checks every setting before anything is written; the trace is
 * opened last.
 */
class Experiment
{
  public:
    /// Names and values for the trace's `settings`, apart from the options.
    using Metadata = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param settings the options
     * @param facts versions, command line and whatever else the driver knows
     * @param world what the topology may ask of the run; the clock may follow with SetClock()
     * @param network what the driver knows of links and processes
     * @throws UsageError if the settings, the files they name or their combination are not accepted
     */
    Experiment(const RunOptions& settings,
               const Metadata& facts,
               const RunWorld& world = {},
               const NetworkFacts& network = {});
    ~Experiment();
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    /// The resolved options of the run.
    const ResolvedRun& Settings() const
    {
        return m_run;
    }

    /// True if this process simulates @p node.
    bool Owns(NodeId node) const
    {
        return m_run.part.Owns(node, m_run.nodes);
    }

    /// The node's learner. @param node which this process simulates
    Learner& At(NodeId node)
    {
        return *m_learners[node];
    }

    /// What the learners have in common.
    LearnerContext& Context()
    {
        return m_context;
    }

    /// Computes the local steps.
    TrainingBackend& Backend()
    {
        return *m_backend;
    }

    /// Pool of parameter vectors.
    ParameterPool& Parameters()
    {
        return m_backend->Pool();
    }

    /// Layout of the shares of a model.
    const ChunkLayout& Chunks() const
    {
        return m_run.chunks;
    }

    /// The topology.
    const GraphSequence& Graph() const
    {
        return *m_run.graph;
    }

    /// Gives topologies that follow the run its clock, in simulated seconds, before round 0.
    void SetClock(std::function<double()> now);

    /// Failures of the network, by options `fail` and `failures`.
    const std::vector<FailureEvent>& Failures() const
    {
        return m_run.failureEvents;
    }

    /// Ledger of the push-sum weights.
    const MassLedger& Mass() const
    {
        return m_ledger;
    }

    /// Writes the trace.
    RunRecorder& Recorder()
    {
        return *m_recorder;
    }

    /// Schedules in force.
    const LearningPlan& Plan() const
    {
        return *m_run.plan;
    }

    /// Bytes of all messages that a link carries in a round: headers and parameters.
    std::uint64_t LinkBytes() const;

    /// Times of the nodes' local steps; all zero if they are measured.
    const ComputeModel& Compute() const
    {
        return *m_run.computeModel;
    }

    /// Simulated seconds from the sending of a round's messages until the last of them arrives, if
    /// nothing is lost.
    double LosslessTransferSeconds() const;

    /// Simulated seconds of the slowest node's round if nothing is lost, measured steps not
    /// counted.
    double LosslessRoundSeconds() const;

    /// Length of a round if nothing more is heard, in simulated seconds; infinity: no deadline.
    double DeadlineSeconds() const;

    /// Adds a warning of the run's driver. @param line without a full stop
    void Warn(const std::string& line)
    {
        m_warnings.push_back(line);
    }

    /// What the user should know though it is no error, one line each.
    const std::vector<std::string>& Warnings() const
    {
        return m_warnings;
    }

    /// The run is complete even if all its nodes are gone. @param count nodes that have a battery
    void SetBatteries(std::size_t count);

    /**
     * @brief Why nodes that have not crashed have not done all their rounds: one line that names
     *        one of them and whom it waits for; "" if there is none.
     */
    std::string StallReason() const;

    /// The run's file, for what only the run's driver can measure.
    TraceStore& Store()
    {
        return *m_store;
    }

    /**
     * @brief Ends the run and closes its trace, which says complete if every node that has not
     *        crashed for good has done all its rounds.
     * @param simulatedSeconds the clock at the end
     * @return true if the run is complete
     */
    bool Finish(double simulatedSeconds);

  private:
    std::optional<Position> PositionOf(NodeId node) const;
    double TransferSeconds(const GraphSequence& graph, std::uint64_t bytes) const;
    void BuildBoard();
    void BuildLearners();
    void OpenStore();
    void OpenTrace(const Metadata& facts);
    void WriteStatements();
    void WritePart();
    std::string StepLaw() const;
    std::string PublicStatement() const;
    void CheckClock() const;
    bool IsComplete();

    std::chrono::steady_clock::time_point m_start;    ///< when building began
    double m_setupSeconds{0.0};                       ///< wall time of building
    const ResolvedRun m_run;                          ///< see Settings()
    std::vector<std::string> m_warnings;              ///< for the user, one line each
    RunWorld m_world;                                 ///< what the graph may ask
    std::unique_ptr<TrainingBackend> m_backend;       ///< runs the local steps
    std::unique_ptr<PrivacyBudget> m_guard;           ///< stops nodes; empty: nothing does
    std::unique_ptr<SensitivityExchange> m_exchange;  ///< of DPPS in mode paper; else empty
    MassLedger m_ledger;                              ///< see Mass()
    LearnerContext m_context;                         ///< shared by the learners
    std::vector<std::unique_ptr<Learner>> m_learners; ///< by node; of others empty
    bool m_hasFinished{false};                        ///< nodes of other ranks, as far as is known
    bool m_hasBatteries{false};                       ///< see SetBatteries()
    std::unique_ptr<TraceStore> m_store;              ///< the run's file
    std::unique_ptr<RunRecorder> m_recorder;          ///< see Recorder()
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EXPERIMENT_H
