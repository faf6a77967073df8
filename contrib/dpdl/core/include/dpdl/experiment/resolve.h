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
    std::shared_ptr<RankLink> rankLink;     ///< link to the other ranks; empty: there are none
    /// Returns the simulated seconds until the last message of a round has arrived, if every
    /// message has @p bytes bytes; empty: computed from the options.
    std::function<double(const GraphSequence&, std::uint64_t bytes)> transferSeconds;
};

/// Properties of the network and the processes, from the driver of a run.
struct NetworkFacts : RunNetwork
{
    /// Text of the network's settings. With option independentNoise the seed of the noise depends
    /// on it.
    std::string identity;
    /// Called before each part of the preparation that may take long, with the part's name; the
    /// last is "the trace". Empty: no calls.
    std::function<void(const std::string& part)> watch;
    /// Check by the driver, called before anything is written; throws UsageError. Empty: no check.
    std::function<void(const ResolvedRun& run)> check;
};

/// Resolved values of LearningSettings, and the objects made from them.
struct ResolvedLearning : LearningSettings
{
    AlgorithmPreset preset;    ///< the algorithm's preset, with the overrides of the options
    std::size_t batchSize{64}; ///< expected batch size; not used with sampler `full`
    StepScale stepScale{StepScale::PLAIN};      ///< scaling of the step by the push-sum weight
    std::shared_ptr<const Dataset> data;        ///< training and test examples
    std::shared_ptr<const ModelSpec> modelSpec; ///< model that the nodes train
    std::vector<float> initial; ///< initial parameters of every node, [ParameterCount()]
    Partition examples;         ///< indices of the training examples of each node
    std::shared_ptr<const Sampler> batchSampler; ///< draws the batches of every step
    ChunkLayout chunks;                          ///< layout of the chunks of a model
    Compression compression;                     ///< encoding of the parameters in shares
    MixRule mixRule;                             ///< rule by which a node combines shares
    double momentum{1.0};                        ///< gamma of accelerated gossip; 1: plain gossip
    std::vector<double> masses; ///< weights of the nodes at a server, proportional to their initial
                                ///< push-sum weights; empty: equal weights
    std::shared_ptr<const LearningPlan> plan; ///< calibrated schedules of the nodes
};

/// Resolved values of PrivacySettings, and the objects made from them.
struct ResolvedPrivacy : PrivacySettings
{
    NodeEpsilons epsilon;       ///< target epsilons of the nodes
    std::optional<double> clip; ///< C_0 > 0; empty: the algorithm does not clip
    RandomSeed noiseSeed;       ///< seed of noise and batches: `seed`, or derived from the settings
    std::string noiseSource{"philox"};             ///< name in NoiseSources()
    std::shared_ptr<const NoiseSource> noiseDraws; ///< source that draws the noise
    /// Figures of correlated noise for the summary, by name.
    std::vector<std::pair<std::string, double>> noiseFigures;
};

/// Resolved values of NetworkSettings, and the objects made from them.
struct ResolvedNetwork : NetworkSettings, RunNetwork
{
    TransportKind transport{};               ///< transport of packet mode; not used otherwise
    Round staleness{0};                      ///< rounds that a node may be ahead of received shares
    StepTime compute;                        ///< simulated duration of a local step
    std::shared_ptr<GraphSequence> graph;    ///< topology of every round
    std::vector<FailureEvent> failureEvents; ///< failure events of options `fail` and `failures`
    NodeSet liars;                           ///< nodes that lie at some time
    NodeSet leakers;                         ///< nodes that leak their shared secrets at some time
    std::shared_ptr<const ComputeModel> computeModel; ///< durations of the nodes' local steps
};

/**
 * @brief A resolved run: the value of every option, and the objects derived from them, in four
 *        parts.
 *
 * Only Resolve() creates it; it is const afterwards.
 */
struct ResolvedRun : ResolvedLearning, ResolvedPrivacy, ResolvedNetwork, OutputSettings
{
    std::vector<std::string> warnings; ///< warnings for the user, one line each

    /// The resolved values as options, for the table of options.
    RunOptions AsSettings() const;
};

/**
 * @brief Resolves the options of a run: fills in unset values, and checks them all.
 *
 * Has no side effects except reading the files that the options name.
 * @param asked the options
 * @param facts properties of network and processes, from the driver
 * @param world information about the run for topology and failures
 * @throws UsageError if the options, the files they name or their combination are not accepted
 */
ResolvedRun Resolve(const RunOptions& asked, const NetworkFacts& facts, const RunWorld& world);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RESOLVE_H
