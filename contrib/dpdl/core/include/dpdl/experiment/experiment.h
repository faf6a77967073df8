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

/// Size of a message without its parameters, in bytes; layout in doc/formats/message.md.
constexpr std::uint64_t MESSAGE_HEADER_BYTES = 52;

/**
 * @brief All parts of a run except its clock and its network: data, models, learners, ledgers and
 *        trace.
 *
 * The driver (the ns-3 application, or LockstepRun) calls the learners in each round and delivers
 * their shares. The constructor checks all settings before it writes anything, and opens the trace
 * last.
 */
class Experiment
{
  public:
    /// Pairs of name and value for the trace's view `settings`, in addition to the options.
    using Metadata = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param settings options of the run, as asked by the user
     * @param facts metadata from the driver, such as versions and the command line
     * @param world clock, positions and other state that the topology may query; SetClock() may set
     *        the clock later
     * @param network properties of links and processes, from the driver
     * @throws UsageError naming the option, if a setting, a file that it names, or a combination of
     *         settings is not accepted
     */
    Experiment(const RunOptions& settings,
               const Metadata& facts,
               const RunWorld& world = {},
               const NetworkFacts& network = {});
    ~Experiment();

    /// Resolved options of the run.
    const ResolvedRun& Settings() const
    {
        return m_run;
    }

    /// True if this process simulates @p node.
    bool Owns(NodeId node) const
    {
        return m_run.part.Owns(node, m_run.nodes);
    }

    /// Learner of a node.
    /// @param node a node that this process simulates
    Learner& At(NodeId node)
    {
        return *m_learners[node];
    }

    /// Data shared by all learners; valid as long as this object.
    LearnerContext& Context()
    {
        return m_context;
    }

    /// Backend that runs the local steps.
    TrainingBackend& Backend()
    {
        return *m_backend;
    }

    /// Pool of parameter vectors with the size of the model.
    ParameterPool& Parameters()
    {
        return m_backend->Pool();
    }

    /// Sets the clock for topologies that depend on time. Must be called before round 0.
    /// @param now returns the current time in simulated seconds
    void SetClock(std::function<double()> now);

    /// Ledger of the push-sum weights at nodes, in flight and lost.
    const MassLedger& Mass() const
    {
        return m_ledger;
    }

    /// Recorder that writes the rows of the trace.
    RunRecorder& Recorder()
    {
        return *m_recorder;
    }

    /// Calibrated clip norms, noise standard deviations and step sizes of all nodes and rounds.
    const LearningPlan& Plan() const
    {
        return *m_run.plan;
    }

    /// Upper bound on the bytes of shares that a link carries in a round, headers included, without
    /// retransmissions.
    std::uint64_t LinkBytes() const;

    /// Simulated seconds from sending the messages of a round to the arrival of the last message,
    /// without losses.
    double LosslessTransferSeconds() const;

    /// Simulated duration of the slowest node's round without losses, in seconds. Steps of kind
    /// MEASURED count as 0.
    double LosslessRoundSeconds() const;

    /// Longest duration of a node's round, in simulated seconds; infinity: no deadline.
    double DeadlineSeconds() const;

    /// Adds a warning of the driver for the user.
    /// @param line one line, without a full stop
    void Warn(const std::string& line)
    {
        m_warnings.push_back(line);
    }

    /// Warnings for the user, one line each.
    const std::vector<std::string>& Warnings() const
    {
        return m_warnings;
    }

    /// Sets the number of batteries. Must be called before the first round. With a number above 0,
    /// the run also counts as complete when all its nodes are down.
    /// @param count number of nodes with a battery
    void SetBatteries(std::size_t count);

    /**
     * @brief Reason why the rounds of this rank are not complete, one line. It names the first
     *        running node with rounds left and the nodes for which it waits, or says that all nodes
     *        have crashed. "": all running nodes have completed all their rounds.
     */
    std::string StallReason() const;

    /// The trace's store, for values that only the driver can measure.
    TraceStore& Store()
    {
        return *m_store;
    }

    /**
     * @brief Ends the run and closes its trace. The trace is complete if every node that has not
     *        crashed permanently has completed all its rounds.
     * @param simulatedSeconds end of the run, in simulated seconds
     * @return true if the run is complete
     */
    bool Finish(double simulatedSeconds);

  private:
    std::optional<Position> PositionOf(NodeId node) const;
    double TransferSeconds(const GraphSequence& graph, std::uint64_t bytes) const;
    void BuildExchange();
    void BuildLearners();
    void OpenStore();
    void OpenTrace(const Metadata& facts);
    void WriteStatements();
    void WritePart();
    std::string StepLaw() const;
    std::string PublicStatement() const;
    void CheckClock() const;
    bool IsComplete();

    std::chrono::steady_clock::time_point m_start; ///< wall-clock time at which construction began
    double m_setupSeconds{0.0};                    ///< wall-clock duration of construction, s
    ResolvedRun m_run;                             ///< resolved options of the run
    std::vector<std::string> m_warnings;           ///< warnings for the user, one line each
    RunWorld m_world; ///< clock, contacts and similar inputs of the topology
    std::unique_ptr<TrainingBackend> m_backend; ///< runs the local steps
    /// Stops nodes at their privacy budget; empty: no limit.
    std::unique_ptr<PrivacyBudget> m_budget;
    /// Estimates sensitivities for DPPS in mode `paper`; empty for other runs.
    std::unique_ptr<SensitivityExchange> m_exchange;
    MassLedger m_ledger;      ///< ledger of the push-sum weights
    LearnerContext m_context; ///< data that all learners share
    /// Learners, by node; empty pointers for the nodes of other ranks.
    std::vector<std::unique_ptr<Learner>> m_learners;
    /// True: this rank knows that at least one node of the run has finished.
    bool m_hasFinished{false};
    bool m_hasBatteries{false}; ///< true: the run counts as complete even if all nodes are down
    std::unique_ptr<TraceStore> m_store;     ///< writes the trace
    std::unique_ptr<RunRecorder> m_recorder; ///< converts the learners' events into rows
};

/**
 * @brief Runs an experiment without ns-3. All nodes run in lockstep, and every share arrives
 *        immediately.
 *
 * Results are bit-identical to those of an ns-3 run over an ideal network. Local steps take
 * simulated time; messages take none. Only the failures NODE_LIE and NODE_LEAK have an effect.
 *
 * @param experiment experiment to run; on return it is finished and its trace is closed
 */
void LockstepRun(Experiment& experiment);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EXPERIMENT_H
