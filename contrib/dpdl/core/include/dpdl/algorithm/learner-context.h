// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LEARNER_CONTEXT_H
#define DPDL_ALGORITHM_LEARNER_CONTEXT_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/algorithm/push-sum.h"
#include "dpdl/algorithm/sensitivity-exchange.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <limits>

namespace dpdl
{

/// Scaling of the local step. Notation: x = w z, with push-sum weight w, step size gamma and
/// gradient g. The published algorithms use PLAIN.
enum class StepScale
{
    PLAIN,     ///< step in x as published: x <- x - gamma (g + noise); in z the step is gamma / w
    BY_WEIGHT, ///< x <- x - gamma w (g + noise): in z the step is gamma, regardless of lost mass
};

/// Data shared by all learners of a run. The objects behind the pointers must outlive the learners.
struct LearnerContext : PushSumContext
{
    /// Clip norm, noise standard deviation and step size of every node and round.
    const LearningPlan* plan{nullptr};
    TrainingBackend* backend{nullptr}; ///< runs the local steps
    /**
     * @brief Returns true if a node may use its data in a round; empty: every node always may.
     *
     * Every learner calls it once at the start of a round, before anything is computed from its
     * data. If it returns false, the learner takes no step and adds no noise. It continues to mix
     * and forward, which reveals nothing beyond earlier releases.
     */
    std::function<bool(NodeId node, Round round)> mayRelease{};
    StepScale stepScale{StepScale::PLAIN}; ///< scaling of the local step, for all nodes
    double momentum{1.0};   ///< momentum of accelerated gossip, >= 1; 1: plain gossip
    Round evaluateEvery{0}; ///< rounds between evaluations; 0: only after the last round
    /// Number of test examples per evaluation. The evaluation after the last round uses all test
    /// examples.
    std::size_t evaluateSamples{Evaluation::ALL};
    Round snapshotEvery{0}; ///< rounds between snapshots; 0: only after the last round
    /// The certified epsilon holds for the states z^k whose k is a multiple of this number of
    /// rounds. Evaluations and snapshots use only these states, and the final state.
    Round coveredEvery{1};
    /// Round k_0: evaluations of round k_0 and later ones use the mean of z^k from round k_0 on.
    /// Default: no averaging.
    Round averageFrom{std::numeric_limits<Round>::max()};
    /// Measures the true L1 distance between the parameters of nodes (DPPS); nullptr: no
    /// measurement.
    SensitivityExchange* exchange{nullptr};
    bool recordNoise{false}; ///< true: the backend keeps the noise that it adds, for the trace
    bool train{true};        ///< true: nodes take steps; false: they only gossip, for benchmarks

    /**
     * @brief True if an action with a period of @p every rounds is due for z^{round}.
     * @param round number of completed rounds; after the last one every action is due
     * @param every period in rounds; 0: only after the last round
     */
    bool IsDue(Round round, Round every) const
    {
        return round == plan->Rounds() ||
               (every > 0 && round % every == 0 && round % coveredEvery == 0);
    }

    /// Number of leading test examples on which z^{round} is evaluated; 0: no evaluation is due.
    std::size_t EvaluatedExamples(Round round) const
    {
        if (round == plan->Rounds())
        {
            return Evaluation::ALL;
        }
        return IsDue(round, evaluateEvery) ? evaluateSamples : 0;
    }
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LEARNER_CONTEXT_H
