// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_EVALUATION_LOG_H
#define DPDL_EXPERIMENT_EVALUATION_LOG_H

#include "dpdl/experiment/resolve.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief Collects the evaluated models round by round, and holds a bounded number of rounds.
 *
 * The figures of a whole round are over the models that were there when it was closed. A node
 * that gets there later has its own row, in `accuracy_by_node`, and nothing else; so has one that
 * lies at any time of the run.
 *
 * The mean model is the mean over the nodes of z; consensus distance is the root mean square over
 * the nodes of the L2 distance of z to it. Both are computed in double precision. Where only the
 * beginning of z is shared, both are of that beginning, and the accuracy of the mean model is the
 * mean of those that it has with the own parameters of each node behind it.
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
    /// One node's model and how good it is.
    struct Model
    {
        Evaluation evaluation; ///< on the test split
        ParameterHandle z;     ///< parameters, immutable
    };

    using Models = std::map<NodeId, Model>;

    /// Writes the rows of a round. @param ranks have the other nodes of the run, and write this
    /// round now; nullptr: what is written is of this process alone
    void Write(Round round, double readyAt, const Models& models, RankLink* ranks);
    double ConsensusDistance(const Models& models, ParameterVector& mean, RankLink* ranks);
    double AccuracyOfMean(const Models& models, const ParameterHandle& mean, RankLink* ranks) const;

    TrainingBackend& m_backend;     ///< evaluates mean models
    TraceStore& m_store;            ///< receives the rows
    const ResolvedRun& m_run;       ///< of the run
    std::size_t m_shared;           ///< parameters that are shared
    std::map<Round, Models> m_open; ///< by node, of the rounds that are not closed
    std::vector<double> m_sums;     ///< the mean model; kept to ask for no memory
    std::vector<double> m_squares;  ///< of the distances to it
    Round m_closed{0};              ///< every round below this is
    double m_lastReadyAt{0.0};      ///< when the last round could be closed
    double m_accuracy{-1.0};        ///< see Accuracy()
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EVALUATION_LOG_H
