// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NODE_JOB_H
#define DPDL_TRAINING_NODE_JOB_H

#include "dpdl/base/lie.h"
#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/training/chunk-layout.h"
#include "dpdl/training/gossip.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/mix-rule.h"
#include "dpdl/training/release-record.h"

#include <cstdint>
#include <exception>
#include <limits>
#include <vector>

namespace dpdl
{

class Compressor;
class LocalStep;

/// What a node does with its data in a round, and the numbers of that round.
struct LocalUpdate
{
    bool enabled{false};                                  ///< false: no step at all
    double stepSize{0.0};                                 ///< learning rate
    double clip{std::numeric_limits<double>::infinity()}; ///< bound of one example's gradient
    double noise{0.0};   ///< standard deviation of the noise on the sum; 0: no noise
    double divisor{1.0}; ///< what makes a mean of the sum: the expected batch size
    double grid{0.0};    ///< what S is rounded to, for noise sources that do; see NoiseScale
    /// learning rate of each chunk; empty: all have stepSize, as has what lies behind the chunks
    std::vector<double> chunkSteps{};
    double trackerWeight{1.0};      ///< w of the tracker behind the model, if there is one
    ChunkLayout chunks{};           ///< what travels, and what chunkSteps are of
    Round rounds{0};                ///< K, for steps that know where in the run they are
    float* increment{nullptr};      ///< [d] gets all that AddStep() adds; nullptr: not needed
    bool isSummed{false};           ///< no step follows in the next round; see MeasureNoise()
    const LocalStep* step{nullptr}; ///< what is done; nullptr: a GradientStep
};

/// What receivers get in place of a vector that is compressed.
struct CompressedState
{
    ParameterHandle reference; ///< what they have, and the difference to which is sent; empty: 0
    ParameterHandle sent;      ///< receives what they have then; see Approximate()
};

/**
 * @brief The computation of one node in one round: mix, evaluate, step, compress.
 *
 * The parts run in the order of the members. Sources, state and copy are vectors of the backend's
 * pool. While a job is pending, only the backend touches it, no other code writes to its vectors,
 * its state is no source of any pending job, its own included, and no pending job shares its state
 * or its copy.
 */
struct NodeJob
{
    NodeId node{0};           ///< who computes
    Round round{0};           ///< k
    std::vector<MixTerm> mix; ///< what sums up to z^k; empty: state holds z^k. Emptied when mixed
    MixRule rule;             ///< how
    /// receives z^k, then becomes z^{k+1/2} if there is a step; if there is a mix it may be empty,
    /// and is then taken from the pool when the job runs
    ParameterHandle state;
    bool evaluate{false}; ///< evaluate z^k, or the average, on the whole test split
    ParameterHandle copy; ///< if set: receives z^k
    /// number of iterates in `average` once z^k is among them; 0: z^k is not averaged
    std::uint64_t averaged{0};
    /// mean of the iterates before, empty if there are none; becomes the mean with z^k, in another
    /// vector. It is then what is evaluated.
    ParameterHandle average;
    LocalUpdate update; ///< the step from z^k to z^{k+1/2}
    /// if set: receives z^{k+1/2} - z^k as AddStep() has it, and state keeps z^k
    ParameterHandle increment;
    /// what the node's step remembers from round to round; see LocalStep::MemoryVectors()
    std::vector<ParameterHandle> memory;
    /// if set and there is a step: receives Laplace noise of scale 1 on what travels, 0 behind it
    ParameterHandle standardNoise;
    Lie lie;         ///< of the node in this round
    RandomSeed seed; ///< of the run, for a lie of noise
    /// what the node sends in place of its state, if it lies; computed from the state after the
    /// step, unless the lie is stale
    ParameterHandle told;
    bool recordNoise{false};               ///< fill `noise`
    const Compressor* compressor{nullptr}; ///< makes `compressed` of what is sent
    /// one for each reference; those of sends-first algorithms are of z^k, as their state is
    std::vector<CompressedState> compressed;

    double mixError{0.0};  ///< result: MixingError of the mix, 0 without one
    Evaluation evaluation; ///< result: of z^k or the average; all zero unless asked for
    BatchResult batch;     ///< result: of the step; all zero without one
    /// result, if kept: by iteration, what the noise changed in the vector that it was added to, 0
    /// where there was none; an empty handle, or no entry, where an iteration added none at all
    std::vector<ParameterHandle> noise;
    std::vector<ReleaseRecord> releases; ///< result: one for each draw of noise, in their order
    double sharedNorm{0.0}; ///< result: L1 norm of the travelling part's gradient, if asked for
    double standardNoiseNorm{0.0}; ///< result: L1 norm of `standardNoise`
    double stepSeconds{0.0};       ///< result: wall time of the step on its worker
    bool done{false};              ///< result: true once the job has run
    std::exception_ptr failure;    ///< result: what it threw instead
    std::uint64_t taskId{0};       ///< what the backend knows it by; 0: it was not submitted
};

/**
 * @brief The terms that take z^k into the mean of the iterates.
 * @param job with its state and `averaged` > 0
 * @return (1 - 1/n) of the mean before and 1/n of z^k, where n is `averaged`
 */
std::vector<MixTerm> AverageTerms(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_NODE_JOB_H
