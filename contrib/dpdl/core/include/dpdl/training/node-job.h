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
#include <string>
#include <vector>

namespace dpdl
{

class Compressor;
class LocalStep;

/// Local update of a node in one round: the step and its numbers.
struct LocalUpdate
{
    bool enabled{false};                                  ///< false: no step is taken
    double stepSize{0.0};                                 ///< learning rate
    double clip{std::numeric_limits<double>::infinity()}; ///< bound of one example's gradient
    double noise{0.0};   ///< standard deviation of the noise on the sum; 0: no noise
    double divisor{1.0}; ///< divisor of the sum: the expected batch size
    /// The sum is rounded to multiples of this number, for discrete noise sources; see NoiseScale.
    double grid{0.0};
    /// learning rate of each chunk; empty: all use stepSize. Parameters after the last chunk use
    /// stepSize
    std::vector<double> chunkSteps{};
    /// Weight w of the gradient tracker stored after the model, if there is one.
    double trackerWeight{1.0};
    ChunkLayout chunks{}; ///< chunks of the shared parameters, to which chunkSteps apply
    Round rounds{0};      ///< number of rounds K, for steps that depend on the position in the run
    Round stepsBefore{0}; ///< steps that the plan has before this one; numbers its batch
    float* increment{nullptr};      ///< [d] receives the changes of AddStep(); nullptr: not needed
    bool isSummed{false};           ///< the next round has no step; see MeasureNoise()
    const LocalStep* step{nullptr}; ///< the step to take; nullptr: a GradientStep
};

/// Vector that receivers decode from a compressed message.
struct CompressedState
{
    ParameterHandle reference; ///< the receivers' copy, the difference to which is sent; empty: 0
    ParameterHandle sent;      ///< receives the receivers' copy after decoding; see Approximate()
};

/**
 * @brief The computation of one node in one round: mix, evaluate, step, compress.
 *
 * The parts run in the order of the members. Sources, state and copy are vectors of the backend's
 * pool. While a job is pending, only the backend accesses it, and no other code writes to its
 * vectors. Its state is not a source of any pending job, itself included, and no other pending job
 * has its state or copy.
 */
struct NodeJob
{
    NodeId node{0};           ///< node that computes
    Round round{0};           ///< round k
    std::vector<MixTerm> mix; ///< summands of z^k; empty: state holds z^k. Cleared after mixing
    MixRule rule;             ///< rule that combines the terms
    /// receives z^k, then becomes z^{k+1/2} if there is a step. With a mix it may be empty; then
    /// the job acquires it from the pool
    ParameterHandle state;
    /// number of leading test examples on which z^k, or the average, is evaluated; 0: none
    std::size_t evaluate{0};
    ParameterHandle copy; ///< vector that receives z^k; empty: not needed
    /// number of iterates in `average` once z^k is among them; 0: z^k is not averaged
    std::uint64_t averaged{0};
    /// mean of the earlier iterates, empty if there are none; becomes the mean that includes z^k,
    /// in a new vector. If set, it is evaluated in place of z^k
    ParameterHandle average;
    LocalUpdate update; ///< the step from z^k to z^{k+1/2}
    /// if set: receives z^{k+1/2} - z^k as AddStep() computes it, and state keeps z^k
    ParameterHandle increment;
    /// state of the node's step from round to round; see LocalStep::MemoryVectors()
    std::vector<ParameterHandle> memory;
    /// if set and there is a step: receives Laplace noise of scale 1 for the shared parameters, and
    /// 0 for the others
    ParameterHandle standardNoise;
    Lie lie;         ///< Byzantine attack of the node in this round
    RandomSeed seed; ///< seed of the run, for LieKind::NOISE
    /// vector that a lying node sends in place of its state; computed from the state after the
    /// step, unless the lie is stale
    ParameterHandle told;
    bool recordNoise{false};               ///< true: the job returns its noise in `noise`
    const Compressor* compressor{nullptr}; ///< fills `compressed` from the sent vector
    /// one for each reference; algorithms that send first compress z^k, which is their state
    std::vector<CompressedState> compressed;

    double mixError{0.0}; ///< result: MixingError of the mix; 0 if nothing is mixed
    /// Result: accuracy and loss of z^k or the average; zero unless `evaluate` > 0.
    Evaluation evaluation;
    BatchResult batch; ///< result: sums over the step's batches; all zero without a step
    /// result, if recordNoise: by iteration, the change by the noise in each coordinate, 0 without
    /// noise; an empty handle, or no entry, if an iteration added no noise
    std::vector<ParameterHandle> noise;
    std::vector<Release> releases; ///< result: one for each draw of noise, in their order
    /// Result: least standard deviation of the noise in the state; 0: not measured.
    double noiseInState{0.0};
    /// Result: bound on the state's largest value, from public numbers; infinity: not measured.
    double largestState{std::numeric_limits<double>::infinity()};
    /// Result: L1 norm of the gradient of the shared parameters, if requested.
    double sharedNorm{0.0};
    double standardNoiseNorm{0.0}; ///< result: L1 norm of `standardNoise`
    double stepSeconds{0.0};       ///< result: wall time of the step on its worker, s
    bool done{false};              ///< result: true once the job has run
    std::exception_ptr failure;    ///< result: exception that the job threw
    std::uint64_t taskId{0};       ///< number of the job's task in the backend; 0: not submitted
};

/**
 * @brief Terms that include z^k in the mean of the iterates.
 * @param job with its state and `averaged` > 0
 * @return (1 - 1/n) of the earlier mean and 1/n of z^k, where n is `averaged`
 */
std::vector<MixTerm> AverageTerms(const NodeJob& job);

/**
 * @brief Makes the loss of an evaluation NaN if a parameter of the evaluated model is not finite.
 * An activation may hide such a parameter: ReLU turns NaN into 0.
 * @param job that is done, with `copy` or `average` if it evaluates
 */
void MarkDivergence(NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_NODE_JOB_H
