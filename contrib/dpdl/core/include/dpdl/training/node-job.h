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

/// Parameters of a node's local step in one round.
struct LocalUpdate
{
    bool enabled{false};  ///< true: the job takes a local step
    double stepSize{0.0}; ///< step size, > 0
    /// Clip norm C of one example's gradient; infinity: no clipping.
    double clip{std::numeric_limits<double>::infinity()};
    /// Noise on the gradient sum: standard deviation, or scale for Laplace noise; 0: no noise.
    double noise{0.0};
    double divisor{1.0}; ///< divisor of the gradient sum: the expected batch size
    /// The gradient sum is rounded to multiples of this number before the noise is added; 0: no
    /// rounding. See NoiseScale::grid.
    double grid{0.0};
    /// Step size by chunk; empty: `stepSize` for all chunks. Local parameters, after the last
    /// chunk, use `stepSize`.
    std::vector<double> chunkSteps{};
    /// Push-sum weight w of the gradient tracker, for algorithms with AlgorithmPreset::tracks; 1
    /// for other algorithms.
    double trackerWeight{1.0};
    ChunkLayout chunks{}; ///< chunks of the shared parameters, to which `chunkSteps` apply
    /// Number of rounds K of the run.
    Round rounds{0};
    /// Number of rounds before this round in which the node steps. Sampler::Draw() receives this
    /// number as its round.
    Round stepsBefore{0};
    /// Receives the changes of the parameters by AddStep(), [ParameterCount()]; must outlive the
    /// job. nullptr: not needed.
    float* increment{nullptr};
    /// True: the next round has no local step, so nodes sum noisy states; MeasureNoise() then
    /// measures the noise.
    bool isSummed{false};
    /// Local step to take, must outlive the job; nullptr: a GradientStep.
    const LocalStep* step{nullptr};
};

/// Vector that receivers decode from a node's compressed messages, as the sender computes it.
struct CompressedState
{
    /// Vector that the receivers have decoded before this round; a message encodes the difference
    /// to this vector. Empty: all 0.
    ParameterHandle reference;
    ParameterHandle sent; ///< result: vector that the receivers have decoded after this round
};

/**
 * @brief Computation of one node in one round: mix received models, evaluate, take the local step,
 *        compress.
 *
 * The computation runs in the order of the members. The vectors of `mix`, `state` and `copy` are
 * from the backend's pool.
 *
 * While a job is pending, only the backend may access it, and no other code may write to its
 * vectors. The state of a pending job must not be a source of this or another pending job. Two
 * pending jobs must not have the same vector as state or copy.
 */
struct NodeJob
{
    NodeId node{0}; ///< node of the job
    Round round{0}; ///< index k of the round
    /// Summands of the mixed model z^k; empty: `state` already has z^k. Mixing clears this list.
    std::vector<MixTerm> mix;
    MixRule rule; ///< rule that combines the summands
    /// Receives z^k, and then z^{k+1/2} if the job takes a step. May be null if `mix` is not empty;
    /// the job then acquires a vector from the pool.
    ParameterHandle state;
    /// Number of leading test examples for the evaluation of z^k or of `average`; 0: no evaluation.
    std::size_t evaluate{0};
    ParameterHandle copy; ///< receives a copy of the mixed model z^k; empty: not needed
    /// Number of iterates in `average` after this job, including z^k; 0: no average is computed.
    std::uint64_t averaged{0};
    /// Mean of the node's iterates z before this round; null if there is none. If `averaged` is
    /// above 0, the job replaces the pointer by a new vector, the mean including z^k, and evaluates
    /// this mean in place of z^k.
    ParameterHandle average;
    LocalUpdate update; ///< local step from z^k to z^{k+1/2}
    /// If not null: receives z^{k+1/2} - z^k as computed by AddStep(), and `state` keeps z^k.
    ParameterHandle increment;
    /// State vectors that the local step keeps between rounds; see LocalStep::MemoryVectors().
    std::vector<ParameterHandle> memory;
    /// If not null and the job takes a step: receives Laplace noise of scale 1 for the shared
    /// parameters, and 0 for the local parameters.
    ParameterHandle standardNoise;
    Lie lie;         ///< Byzantine attack of the node in this round
    RandomSeed seed; ///< seed of the run, for the noise of LieKind::NOISE
    /// Vector that a Byzantine node sends in place of its state; null: the node sends its state.
    /// The job computes it after the step. For LieKind::STALE, the caller sets it.
    ParameterHandle told;
    bool recordNoise{false}; ///< true: the job returns the noise of its step in `noise`
    /// Compressor of the sent vector, which fills `compressed`; must outlive the job. nullptr: no
    /// compression.
    const Compressor* compressor{nullptr};
    /// One entry for each different vector that a receiver has decoded so far; after lost messages,
    /// receivers can hold different vectors. If messages do not encode differences: one entry
    /// without `reference`. Algorithms that send before they step compress z^k, which is still in
    /// `state`.
    std::vector<CompressedState> compressed;

    /// Result: relative rounding error of the mixed model (MixingError()), largest over the
    /// measured coordinates; 0 without mixing, or for MixRule TRIMMED.
    double mixError{0.0};
    /// Result: accuracy and objective of z^k or of `average`; all 0 if `evaluate` is 0.
    Evaluation evaluation;
    BatchResult batch; ///< result: statistics of the step's batches; all zero without a step
    /// Result if `recordNoise` is true. Element i: noise added in iteration i, [ParameterCount()],
    /// 0 in coordinates without noise. The element of an iteration without noise is null or
    /// missing.
    std::vector<ParameterHandle> noise;
    /// Result: one record for each draw of noise, in the order of the draws.
    std::vector<Release> releases;
    /// Result of MeasureNoise(): smallest standard deviation of the noise in a coordinate of the
    /// state; 0: not measured.
    double noiseInState{0.0};
    /// Result of MeasureNoise(): upper bound on the largest absolute value in the state, from
    /// public numbers; infinity: not measured.
    double largestState{std::numeric_limits<double>::infinity()};
    /// Result of a PartialStep: the batch's gradient sum for the shared parameters, divided by
    /// LocalUpdate::divisor, is clipped as a whole to the L1 norm LocalUpdate::clip; this is the L1
    /// norm of the clipped vector. 0 for other steps.
    double sharedNorm{0.0};
    double standardNoiseNorm{0.0}; ///< result: L1 norm of `standardNoise`
    double stepSeconds{0.0};       ///< result: wall-clock time of the step on its worker, s
    bool done{false};              ///< result: true if the job is completed
    std::exception_ptr failure;    ///< result: exception that the job threw; null: none
    std::uint64_t taskId{0}; ///< identifier of the job's task in the backend; 0: not submitted
};

/**
 * @brief Returns the mix terms whose sum is the mean of a node's iterates, including z^k.
 * @param job job whose `state` has z^k and whose `averaged` is above 0
 * @return with n = `averaged`: the earlier mean with coefficient 1 - 1/n (only if n > 1), and z^k
 *         with coefficient 1/n
 */
std::vector<MixTerm> AverageTerms(const NodeJob& job);

/**
 * @brief Sets the objective of an evaluation to NaN if a parameter of the evaluated model is not
 *        finite. The activations can mask such a parameter, because ReLU maps NaN to 0.
 * @param job completed job. Without `copy` and `average`, the evaluated model is unknown, and the
 *        function has no effect
 */
void MarkDivergence(NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_NODE_JOB_H
