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

/// Size of a message without its parameters, in bytes; see doc/formats/message.md.
constexpr std::uint64_t MESSAGE_HEADER_BYTES = 52;

/**
 * @brief All parts of a run except its clock and its network: data, models, learners, ledgers,
 *        trace.
 *
 * Its driver (the ns-3 application, or LockstepRun) moves the learners through their rounds and
 * carries their shares. The constructor checks every setting before anything is written, and opens
 * the trace last.
 */
class Experiment
{
  public:
    /// Names and values for the trace's `settings`, apart from the options.
    using Metadata = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param settings the options
     * @param facts metadata from the driver, such as versions and the command line
     * @param world information about the run for the topology; the clock may be set later with
     *        SetClock()
     * @param network properties of links and processes, from the driver
     * @throws UsageError if the settings, the files they name or their combination are not accepted
     */
    Experiment(const RunOptions& settings,
               const Metadata& facts,
               const RunWorld& world = {},
               const NetworkFacts& network = {});
    ~Experiment();

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

    /// The learner of a node. @param node a node that this process simulates
    Learner& At(NodeId node)
    {
        return *m_learners[node];
    }

    /// Data shared by all learners.
    LearnerContext& Context()
    {
        return m_context;
    }

    /// Backend that computes the local steps.
    TrainingBackend& Backend()
    {
        return *m_backend;
    }

    /// Pool from which parameter vectors of the model's size are acquired.
    ParameterPool& Parameters()
    {
        return m_backend->Pool();
    }

    /// Sets the clock for topologies that depend on the run; call this before round 0. @param now
    /// returns the current time in simulated seconds
    void SetClock(std::function<double()> now);

    /// Ledger of the push-sum weights at nodes, in flight and lost.
    const MassLedger& Mass() const
    {
        return m_ledger;
    }

    /// Recorder of the trace's rows.
    RunRecorder& Recorder()
    {
        return *m_recorder;
    }

    /// Calibrated noise and step schedules of the nodes.
    const LearningPlan& Plan() const
    {
        return *m_run.plan;
    }

    /// Bytes of all messages that a link carries in a round: headers and parameters.
    std::uint64_t LinkBytes() const;

    /// Simulated seconds from sending a round's messages until the last of them arrives, without
    /// losses.
    double LosslessTransferSeconds() const;

    /// Simulated seconds of the slowest node's round without losses; measured steps are not
    /// included.
    double LosslessRoundSeconds() const;

    /// Longest duration of a round in simulated seconds; infinity: no deadline.
    double DeadlineSeconds() const;

    /// Adds a warning of the run's driver. @param line without a full stop
    void Warn(const std::string& line)
    {
        m_warnings.push_back(line);
    }

    /// Warnings for the user, one line each.
    const std::vector<std::string>& Warnings() const
    {
        return m_warnings;
    }

    /// Lets the run count as complete even if all its nodes are down. @param count number of nodes
    /// with a battery
    void SetBatteries(std::size_t count);

    /**
     * @brief Reason why running nodes have not completed all their rounds: one line that names one
     *        of them and the node for which it waits; "" if there is none.
     */
    std::string StallReason() const;

    /// The trace, for figures that only the run's driver can measure.
    TraceStore& Store()
    {
        return *m_store;
    }

    /**
     * @brief Ends the run and closes its trace. The trace is complete if every node that has not
     *        crashed permanently has completed all its rounds.
     * @param simulatedSeconds the clock at the end
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

    std::chrono::steady_clock::time_point m_start; ///< wall-clock time at the start of construction
    double m_setupSeconds{0.0};                    ///< wall time that construction took, s
    ResolvedRun m_run;                             ///< resolved options of the run
    std::vector<std::string> m_warnings;           ///< warnings for the user, one line each
    RunWorld m_world;                              ///< information about the run for the topology
    std::unique_ptr<TrainingBackend> m_backend;    ///< runs the local steps
    std::unique_ptr<PrivacyBudget> m_budget;       ///< stops nodes at their budget; empty: no limit
    /// Estimates sensitivities for algorithms that need them in mode `paper` (DPPS); otherwise
    /// empty.
    std::unique_ptr<SensitivityExchange> m_exchange;
    MassLedger m_ledger;      ///< ledger of the push-sum weights
    LearnerContext m_context; ///< data that all learners share
    /// Learners, by node; empty for nodes of other ranks.
    std::vector<std::unique_ptr<Learner>> m_learners;
    /// True: at least one node of the run has finished, as far as this rank knows.
    bool m_hasFinished{false};
    bool m_hasBatteries{false}; ///< the run counts as complete even if all its nodes are down
    std::unique_ptr<TraceStore> m_store;     ///< writes the trace
    std::unique_ptr<RunRecorder> m_recorder; ///< records the rows of the trace
};

/**
 * @brief Runs an experiment without a simulator: all nodes in lockstep, every share arrives at
 *        once.
 *
 * It is the bit-identical reference for a simulated run over a perfect network, and the only driver
 * without ns-3. Local steps take simulated time; messages take none. Of the failures, only lies and
 * leaks of nodes have an effect.
 *
 * @param experiment a built experiment; it is finished and its trace closed on return
 */
void LockstepRun(Experiment& experiment);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EXPERIMENT_H
