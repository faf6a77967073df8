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
 * @brief Collects the evaluated models by round, for at most MOST_OPEN rounds at a time.
 *
 * The figures of a round are computed from the models that were evaluated before the round was
 * closed. A node that is evaluated later only gets its row in view `accuracy_by_node`. The same
 * holds for a node that lies at any time of the run.
 *
 * The mean model is the mean over the nodes of their parameters z. Consensus distance is the root
 * mean square over the nodes of the L2 distance between z and the mean model. Both are computed in
 * double precision. If only leading parameters are shared, both use only these. The accuracy of the
 * mean model is then a mean over the nodes: each node's local parameters are appended to the shared
 * mean.
 */
class EvaluationLog
{
  public:
    /// Largest number of open rounds; beyond it the oldest is closed without the missing nodes.
    static constexpr std::size_t MOST_OPEN = 16;

    /**
     * @param backend evaluates mean models
     * @param store receives the rows
     * @param run resolved options, which outlive this object
     * @param shared number of leading parameters that the nodes share
     */
    EvaluationLog(TrainingBackend& backend,
                  TraceStore& store,
                  const ResolvedRun& run,
                  std::size_t shared);

    /**
     * @brief Adds the evaluation of a node's model.
     * @param round number of completed rounds of the model
     * @param node the node
     * @param evaluation accuracy and loss of the model on the test split
     * @param z the model, immutable from now on
     * @param now simulated seconds
     */
    void Add(Round round, NodeId node, const Evaluation& evaluation, ParameterHandle z, double now);

    /// Closes @p round, which its nodes completed at @p readyAt simulated seconds, and all earlier
    /// rounds.
    void Close(Round round, double readyAt);

    /**
     * @brief Closes the last round of a run on several ranks; every rank must call it.
     * @param complete true if the run is complete
     */
    void Finish(bool complete);

    /// Mean accuracy of the last closed round; -1 before the first.
    double Accuracy() const
    {
        return m_accuracy;
    }

  private:
    /// One node's model and its evaluation.
    struct Model
    {
        Evaluation evaluation; ///< accuracy and loss on the test split
        ParameterHandle z;     ///< parameters of the model, immutable
    };

    using Models = std::map<NodeId, Model>;

    /// Writes the rows of a round. @param ranks the other ranks, which write this round at the same
    /// time; nullptr: only the nodes of this process are included
    void Write(Round round, double readyAt, const Models& models, RankLink* ranks);
    std::optional<MeanEvaluation> MeanOnDevice(const Models& models, RankLink* ranks) const;
    double ConsensusDistance(const Models& models, ParameterVector& mean, RankLink* ranks);
    double AccuracyOfMean(const Models& models, const ParameterHandle& mean, RankLink* ranks) const;

    TrainingBackend& m_backend;     ///< evaluates mean models
    TraceStore& m_store;            ///< receives the rows
    const ResolvedRun& m_run;       ///< resolved options
    std::size_t m_shared;           ///< number of leading parameters that nodes share
    std::map<Round, Models> m_open; ///< models of open rounds, by node
    std::vector<double> m_sums;     ///< sums for the mean model; reused to avoid allocations
    std::vector<double> m_squares;  ///< squared distances to the mean model
    Round m_closed{0};              ///< number of closed rounds
    double m_lastReadyAt{0.0};      ///< simulated time at which the last round could be closed, s
    double m_accuracy{-1.0};        ///< mean accuracy of the last closed round; -1: none yet
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EVALUATION_LOG_H
