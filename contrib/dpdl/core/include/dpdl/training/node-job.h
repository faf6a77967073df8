// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NODE_JOB_H
#define DPDL_TRAINING_NODE_JOB_H

#include "dpdl/base/lie.h"
#include "dpdl/base/random.h"
#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/training/gossip.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/mix-rule.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <vector>

namespace dpdl
{

class Compressor;
class LocalStep;

/// Settings of a node's local update in one round.
struct LocalUpdate
{
    bool enabled{false};  ///< true: the job takes a local step
    double stepSize{0.0}; ///< learning rate
    /// clip bound C of one example's gradient; infinity: no clipping
    double clip{std::numeric_limits<double>::infinity()};
    double noise{0.0};   ///< standard deviation of the noise on the gradient sum; 0: no noise
    double divisor{1.0}; ///< divisor of the gradient sum: the expected batch size
    /// Before noise is added, the gradient sum is rounded to multiples of this number, for discrete
    /// noise sources; 0: no rounding. See NoiseScale.
    double grid{0.0};
    /// learning rate of each chunk; empty: all chunks use stepSize. Local parameters, which follow
    /// the last chunk, use stepSize
    std::vector<double> chunkSteps{};
    /// Push-sum weight w of the gradient tracker, which gradient-tracking algorithms store after
    /// the model; else 1.
    double trackerWeight{1.0};
    ChunkLayout chunks{}; ///< chunks of the shared parameters, to which chunkSteps apply
    /// number of rounds K of the run, for steps that depend on the position in the run
    Round rounds{0};
    /// number of the node's steps in earlier rounds of the plan; selects the batch
    Round stepsBefore{0};
    /// [d] receives the changes of the parameters by AddStep(); nullptr: not needed
    float* increment{nullptr};
    /// true: the next round has no local step, so MeasureNoise() measures the noise
    bool isSummed{false};
    const LocalStep* step{nullptr}; ///< the local step; nullptr: a GradientStep
};

/// Receivers' copy of a node's parameters, which compressed messages update.
struct CompressedState
{
    /// copy of the receivers before this round; messages hold the difference to it. Empty: zero
    ParameterHandle reference;
    ParameterHandle sent; ///< receives the receivers' copy after this round; see Approximate()
};

/**
 * @brief The computation of one node in one round: mix received models, evaluate, take the local
 *        step, compress.
 *
 * The computation runs in the order of the members. Sources, state and copies are vectors of the
 * backend's pool.
 *
 * While a job is pending, only the backend accesses it, and no other code writes to its vectors.
 * Its state is not a source of a pending job, itself included, and no other pending job has the
 * same vector as state or copy.
 */
struct NodeJob
{
    NodeId node{0}; ///< node whose computation this is
    Round round{0}; ///< round k
    /// summands of the mixed model z^k; empty: `state` holds z^k already. Cleared after mixing
    std::vector<MixTerm> mix;
    MixRule rule; ///< rule that combines the terms
    /// receives z^k, then becomes z^{k+1/2} if the job takes a step. May be empty if `mix` is not;
    /// then the job acquires it from the pool
    ParameterHandle state;
    /// evaluation uses this number of leading test examples, on z^k or on `average`; 0: no
    /// evaluation
    std::size_t evaluate{0};
    ParameterHandle copy; ///< receives a copy of the mixed model z^k; empty: not needed
    /// number of iterates in `average` after this job, which includes z^k; 0: no average is
    /// computed
    std::uint64_t averaged{0};
    /// mean of the node's earlier iterates; empty before the first one. The job replaces it by a
    /// new vector, the mean that includes z^k, which is evaluated in place of z^k
    ParameterHandle average;
    LocalUpdate update; ///< the local update from z^k to z^{k+1/2}
    /// if set, receives z^{k+1/2} - z^k as AddStep() computes it, and `state` keeps z^k
    ParameterHandle increment;
    /// vectors that the node's step keeps from round to round; see LocalStep::MemoryVectors()
    std::vector<ParameterHandle> memory;
    /// if set and the job takes a step, receives Laplace noise of scale 1 for the shared parameters
    /// and 0 for the local ones
    ParameterHandle standardNoise;
    Lie lie;         ///< Byzantine attack that the node carries out in this round
    RandomSeed seed; ///< seed of the run, for the noise of LieKind::NOISE
    /// vector that a lying node sends in place of its state. The job computes it after the step,
    /// except for LieKind::STALE, whose vector is set already
    ParameterHandle told;
    bool recordNoise{false}; ///< true: the job returns the noise of its step in `noise`
    /// compressor of the sent vector, which fills `compressed`; nullptr: no compression
    const Compressor* compressor{nullptr};
    /// one entry for each copy that receivers keep. Algorithms that send before they step compress
    /// z^k, which `state` still holds
    std::vector<CompressedState> compressed;

    /// result: relative rounding error of the mix by MixingError(); 0 if nothing is mixed
    double mixError{0.0};
    /// Result: accuracy and objective of z^k or of `average`; zero unless `evaluate` > 0.
    Evaluation evaluation;
    BatchResult batch; ///< result: statistics of the step's batches; all zero without a step
    /// result if recordNoise is set: [iterations] the change of each coordinate by the noise, 0 in
    /// coordinates without noise. The handle of an iteration without noise is empty or missing
    std::vector<ParameterHandle> noise;
    /// result: one record for each draw of noise, in the order of the draws
    std::vector<Release> releases;
    /// Result of MeasureNoise(): least standard deviation of the noise in the state; 0: not
    /// measured.
    double noiseInState{0.0};
    /// Result of MeasureNoise(): bound on the largest absolute value in the state, from public
    /// numbers; infinity: not measured.
    double largestState{std::numeric_limits<double>::infinity()};
    /// Result of a PartialStep: L1 norm of the clipped mean gradient of the shared parameters.
    double sharedNorm{0.0};
    double standardNoiseNorm{0.0}; ///< result: L1 norm of `standardNoise`
    double stepSeconds{0.0};       ///< result: wall-clock time of the step on its worker, s
    bool done{false};              ///< result: true once the job has been completed
    std::exception_ptr failure;    ///< result: exception that the job threw; null: none
    std::uint64_t taskId{0};       ///< id of the job's task in the backend; 0: not submitted
};

/**
 * @brief Mix terms that compute the mean of a node's iterates, including z^k.
 * @param job its `state` holds z^k, and `averaged` > 0
 * @return terms (1 - 1/n) times the earlier mean and 1/n times z^k, where n is `averaged`
 */
std::vector<MixTerm> AverageTerms(const NodeJob& job);

/**
 * @brief Sets the objective of an evaluation to NaN if a parameter of the evaluated model is not
 *        finite. The activations can hide such a parameter: ReLU turns NaN into 0.
 * @param job finished job; if it evaluates, it has `copy` or `average`
 */
void MarkDivergence(NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_NODE_JOB_H
