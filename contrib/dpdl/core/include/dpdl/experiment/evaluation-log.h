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
 * @brief Collects the evaluated models of at most MOST_OPEN rounds at a time, and writes the means
 *        over the nodes of each round.
 *
 * The means of a round include the models that are evaluated before the round is closed. A node
 * that is evaluated later only gets a row in view `accuracy_by_node`. The means also exclude nodes
 * that are Byzantine at any time of the run.
 *
 * The mean model is the mean of z over the nodes. The consensus distance is the root mean square,
 * over the nodes, of the L2 distance between z and the mean model. Mean and distance have double
 * precision and include only shared parameters. If the nodes also have local parameters, each node
 * evaluates the shared mean with its local parameters. The accuracy of the mean model is then the
 * mean of these accuracies.
 */
class EvaluationLog
{
  public:
    /// Largest number of rounds that wait for the models of further nodes. If there are more, the
    /// oldest round is closed without the missing nodes.
    static constexpr std::size_t MOST_OPEN = 16;

    /**
     * @param backend evaluates mean models; must outlive this object
     * @param store receives the rows; must outlive this object
     * @param run resolved options; must outlive this object
     * @param shared number of leading parameters that the nodes share
     */
    EvaluationLog(TrainingBackend& backend,
                  TraceStore& store,
                  const ResolvedRun& run,
                  std::size_t shared);

    /**
     * @brief Adds the evaluation of a node's model.
     * @param round number of completed rounds of the model
     * @param node index of the node
     * @param evaluation accuracy and objective of the model on the test split
     * @param z parameters of the model; the caller must not change them after this call
     * @param now current time, in simulated seconds
     */
    void Add(Round round, NodeId node, const Evaluation& evaluation, ParameterHandle z, double now);

    /// Writes the rows of @p round and of all earlier rounds. On several ranks, the last round of
    /// the run waits for Finish().
    /// @param readyAt simulated seconds at which all running nodes had completed the round
    void Close(Round round, double readyAt);

    /**
     * @brief Ends the log. On several ranks, writes the rows of the last round of the run if @p
     *        complete is true; every rank must call it with the same value.
     * @param complete true if the run is complete
     */
    void Finish(bool complete);

    /// Mean test accuracy over the nodes in the last written round, in [0, 1]; NaN: a model has
    /// diverged; -1: no round is written.
    double Accuracy() const
    {
        return m_accuracy;
    }

  private:
    /// Model of one node, and its evaluation.
    struct Model
    {
        Evaluation evaluation; ///< accuracy and objective on the test split
        ParameterHandle z;     ///< parameters of the model, immutable
    };

    using Models = std::map<NodeId, Model>;

    /// Writes the rows of a round.
    /// @param ranks link to the other ranks, which write this round at the same time; nullptr: the
    /// rows include the nodes of this process only
    void Write(Round round, double readyAt, const Models& models, RankLink* ranks);
    std::optional<MeanEvaluation> MeanOnDevice(const Models& models, RankLink* ranks) const;
    double ConsensusDistance(const Models& models, ParameterVector& mean, RankLink* ranks);
    double AccuracyOfMean(const Models& models, const ParameterHandle& mean, RankLink* ranks) const;

    TrainingBackend& m_backend;     ///< evaluates mean models
    TraceStore& m_store;            ///< receives the rows
    const ResolvedRun& m_run;       ///< resolved options
    std::size_t m_shared;           ///< number of leading parameters that nodes share
    std::map<Round, Models> m_open; ///< models by round and node, for rounds that are not closed
    std::vector<double> m_sums;     ///< sums for the mean model; reused to avoid allocations
    /// By shared parameter: sum over the nodes of the squared difference from the mean model.
    std::vector<double> m_squares;
    Round m_closed{0}; ///< every earlier round is closed
    /// Simulated time at which the last round of the run was completed, s.
    double m_lastReadyAt{0.0};
    double m_accuracy{-1.0}; ///< mean test accuracy of the last written round; -1: none
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EVALUATION_LOG_H
