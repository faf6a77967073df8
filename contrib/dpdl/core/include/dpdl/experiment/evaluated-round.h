// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_EVALUATED_ROUND_H
#define DPDL_EXPERIMENT_EVALUATED_ROUND_H

#include "dpdl/experiment/run-part.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <map>
#include <vector>

namespace dpdl
{

/**
 * @brief The models of the nodes after one round, until they can be compared.
 *
 * Nodes reach a round at different times, and some that have crashed never do: they are left out.
 */
class EvaluatedRound
{
  public:
    /// What Write() computes in; kept from round to round, it asks for no memory.
    struct Buffers
    {
        std::vector<double> sums;    ///< the mean model
        std::vector<double> squares; ///< of the distances to it
    };

    /**
     * @brief A node's model has been evaluated.
     * @param node the node
     * @param evaluation of its model on the test split
     * @param z its model, immutable from now on
     */
    void Add(NodeId node, const Evaluation& evaluation, ParameterHandle z);

    /**
     * @brief Writes the rows of `accuracy_by_node` and `accuracy_by_round`.
     *
     * The mean model is the mean over the nodes of z; consensus distance is the root mean square
     * over the nodes of the L2 distance of z to it. Both are computed in double precision. Where
     * only the beginning of z is shared, both are of that beginning, and the accuracy of the mean
     * model is the mean of those that it has with the own parameters of each node behind it.
     *
     * @param round number of rounds done
     * @param readyAt when the last of them had finished, in simulated seconds
     * @param shared parameters from the first one on that are shared
     * @param backend evaluates the mean model
     * @param store receives the rows
     * @param buffers to compute in
     * @param ranks have the other nodes of the run, and write this round now; nullptr: what is
     *        written is of the nodes of this process alone
     * @return mean accuracy of these nodes, at least one
     */
    double Write(Round round,
                 double readyAt,
                 std::size_t shared,
                 TrainingBackend& backend,
                 TraceStore& store,
                 Buffers& buffers,
                 RankLink* ranks = nullptr);

  private:
    /// One node's model and how good it is.
    struct Model
    {
        Evaluation evaluation; ///< on the test split
        ParameterHandle z;     ///< parameters
    };

    double ConsensusDistance(ParameterVector& mean,
                             std::size_t shared,
                             Buffers& buffers,
                             RankLink* ranks) const;
    double AccuracyOfMean(const ParameterHandle& mean,
                          std::size_t shared,
                          TrainingBackend& backend,
                          RankLink* ranks) const;

    std::map<NodeId, Model> m_models; ///< by node
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_EVALUATED_ROUND_H
