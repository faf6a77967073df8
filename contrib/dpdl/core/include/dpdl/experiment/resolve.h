// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RESOLVE_H
#define DPDL_EXPERIMENT_RESOLVE_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "dpdl/experiment/rank-block.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

struct ResolvedRun;

/// Links of a run, and its division among MPI ranks.
struct RunNetwork
{
    std::optional<LinkParameters> link; ///< parameters of links without an entry in a link file;
                                        ///< empty: Resolve() takes them from the options
    std::shared_ptr<const LinkTable> links; ///< parameters of every link; empty: all links are
                                            ///< equal
    RankBlock part;                         ///< nodes that this process simulates
    /// Communication with the other ranks of an MPI run; empty: this process simulates all nodes.
    std::shared_ptr<RankLink> rankLink;
    /// Returns the simulated seconds from sending to the arrival of the last message of a round, if
    /// every message has @p bytes bytes. Empty: computed from the options.
    std::function<double(const GraphSequence&, std::uint64_t bytes)> transferSeconds;
};

/// Properties of the network and the processes of a run; the driver provides them.
struct NetworkFacts : RunNetwork
{
    /// All settings of the network as one text, in any format. With option `independentNoise`, the
    /// seed of the noise is derived from this text and the options.
    std::string identity;
    /// Progress callback, called before each part of the preparation that may take long. @p part is
    /// the name of the part; the last is "the trace". Empty: not called.
    std::function<void(const std::string& part)> watch;
    /// Check by the driver before anything is written; throws UsageError. Empty: no check.
    std::function<void(const ResolvedRun& run)> check;
};

/// Values of LearningSettings after resolution, and the objects made from them.
struct ResolvedLearning : LearningSettings
{
    AlgorithmPreset preset;    ///< preset of the algorithm, with the overrides of the options
    std::size_t batchSize{64}; ///< expected batch size; not used with sampler `full`
    StepScale stepScale{StepScale::PLAIN}; ///< scaling of the local step by the push-sum weight
    std::shared_ptr<const Dataset> data;   ///< training and test examples
    std::shared_ptr<const ModelSpec> modelSpec; ///< model that the nodes train
    std::vector<float> initial; ///< initial parameters of all nodes, [ParameterCount()]
    Partition examples; ///< training examples of each node, as indices into the training split
    std::shared_ptr<const Sampler> batchSampler; ///< sampler that draws the batches of all steps
    ChunkLayout chunks;                          ///< layout of the chunks of a model
    Compression compression;                     ///< compression of the parameters in shares
    MixRule mixRule;                             ///< rule by which a node combines shares
    double momentum{1.0}; ///< momentum gamma of Chebyshev-accelerated gossip; 1: plain gossip
    /// Weights of the nodes at the server, proportional to their initial push-sum weights; empty:
    /// equal weights.
    std::vector<double> masses;
    std::shared_ptr<const LearningPlan> plan; ///< calibrated schedules of the nodes
};

/// Values of PrivacySettings after resolution, and the objects made from them.
struct ResolvedPrivacy : PrivacySettings
{
    NodeEpsilons epsilon;       ///< target epsilon of each node
    std::optional<double> clip; ///< clip norm C_0 > 0; empty: the algorithm does not clip
    /// Seed of noise and batches: option `seed`, or derived from all settings.
    RandomSeed noiseSeed;
    std::string noiseSource{"philox"};             ///< name in NoiseSources()
    std::shared_ptr<const NoiseSource> noiseDraws; ///< source that draws the noise
    /// Statistics of correlated noise for the trace's view `summary`: pairs of item name and value.
    std::vector<std::pair<std::string, double>> noiseFigures;
};

/// Values of NetworkSettings after resolution, and the objects made from them.
struct ResolvedNetwork : NetworkSettings, RunNetwork
{
    TransportKind transport{}; ///< transport of packet mode; not used in other modes
    /// Largest number of rounds by which a node may be ahead of the shares for which it waits.
    Round staleness{0};
    StepTime compute;                     ///< simulated duration of a local step
    std::shared_ptr<GraphSequence> graph; ///< topology: the graph of every round
    /// Failure events of the options `fail` and `failures`.
    std::vector<FailureEvent> failureEvents;
    NodeSet liars;   ///< nodes that are Byzantine at some time of the run
    NodeSet leakers; ///< nodes that leak their shared secrets at some time of the run
    /// Simulated durations of the nodes' local steps.
    std::shared_ptr<const ComputeModel> computeModel;
};

/**
 * @brief A resolved run: the values of all options, and the objects made from them.
 *
 * Only Resolve() creates a ResolvedRun. It is immutable.
 */
struct ResolvedRun : ResolvedLearning, ResolvedPrivacy, ResolvedNetwork, OutputSettings
{
    std::vector<std::string> warnings; ///< warnings for the user, one line each

    /// The resolved values in the form of options.
    RunOptions AsSettings() const;
};

/**
 * @brief Resolves the options of a run: determines values that are not given, and checks all
 *        values.
 *
 * The only side effect is reading the files that the options name.
 * @param asked options given by the user
 * @param facts properties of network and processes, from the driver
 * @param world clock, positions and other state that the topology may query
 * @throws UsageError naming the option, if a value, a file that it names, or a combination of
 *         options is not accepted
 */
ResolvedRun Resolve(const RunOptions& asked, const NetworkFacts& facts, const RunWorld& world);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RESOLVE_H
