// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_EVALUATION_LOG_H
#define DPDL_EXPERIMENT_EVALUATION_LOG_H

#include "dpdl/experiment/evaluated-round.h"
#include "dpdl/experiment/resolve.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <map>

namespace dpdl
{

/**
 * @brief Collects the evaluated models round by round, and holds a bounded number of rounds.
 *
 * The figures of a whole round are over the models that were there when it was closed. A node
 * that gets there later has its own row, in `accuracy_by_node`, and nothing else; so has one that
 * lies at any time of the run.
 */
class EvaluationLog
{
  public:
    /// Rounds whose models are held at most; beyond them the oldest is closed without the missing.
    static constexpr std::size_t MOST_OPEN = 16;

    /**
     * @param backend evaluates mean models
     * @param store receives the rows
     * @param run what is in force, which outlive this
     * @param shared parameters from the first one on that the nodes share
     */
    EvaluationLog(TrainingBackend& backend,
                  TraceStore& store,
                  const ResolvedRun& run,
                  std::size_t shared);

    /**
     * @brief A node's model has been evaluated.
     * @param round rounds that the model has behind it
     * @param node the node
     * @param evaluation on the test split
     * @param z the model, immutable from now on
     * @param now simulated seconds
     */
    void Add(Round round, NodeId node, const Evaluation& evaluation, ParameterHandle z, double now);

    /// Closes @p round, whose nodes were there at @p readyAt seconds, and all before it.
    void Close(Round round, double readyAt);

    /**
     * @brief Closes the last round of a run on several ranks: then all of them come here.
     * @param complete the run is
     */
    void Finish(bool complete);

    /// Mean accuracy of the last round that was closed; -1 before the first.
    double Accuracy() const
    {
        return m_accuracy;
    }

  private:
    TrainingBackend& m_backend;             ///< evaluates mean models
    TraceStore& m_store;                    ///< receives the rows
    const ResolvedRun& m_run;               ///< of the run
    std::size_t m_shared;                   ///< parameters that are shared
    std::map<Round, EvaluatedRound> m_open; ///< rounds that are not closed
    EvaluatedRound::Buffers m_buffers;      ///< to write them
    Round m_closed{0};                      ///< every round below this is
    double m_lastReadyAt{0.0};              ///< when the last round could be closed
    double m_accuracy{-1.0};                ///< see Accuracy()
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EVALUATION_LOG_H
