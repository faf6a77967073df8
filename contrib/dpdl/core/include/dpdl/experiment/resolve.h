// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RESOLVE_H
#define DPDL_EXPERIMENT_RESOLVE_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "dpdl/experiment/run-options.h"
#include "dpdl/experiment/run-part.h"
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

/// What the driver of a run knows of its network and its processes.
struct NetworkFacts
{
    std::optional<LinkParameters> link;     ///< of links that no file names; empty: the options'
    std::shared_ptr<const LinkTable> links; ///< every link; empty: all alike
    Outages losses{Outages::NONE};          ///< what the network does to messages by itself
    std::optional<double> stepSeconds;      ///< of a local step under FIXED; empty: the option's
    std::string identity;                   ///< its settings, for option independentNoise
    unsigned cores{0};                      ///< training threads by default; 0: all cores
    RunPart part;                           ///< nodes of this process
    std::shared_ptr<RankLink> rankLink;     ///< to the other ranks; empty: there are none
    /// Told what is prepared next, before a part that may take long; empty: it is not wanted.
    std::function<void(const std::string& part)> watch;
    /// Check of the driver before anything is written; throws UsageError. Empty:
    /// nothing.
    std::function<void(const ResolvedRun& run)> check;
    /// Seconds until the last message of a round has arrived; empty: by the options.
    std::function<double(const GraphSequence&, std::uint64_t bytes)> transferSeconds;
};

/**
 * @brief A run as it will be: every value that is in force, and what follows from them.
 *
 * Made by Resolve() alone, and const from then on.
 */
struct ResolvedRun : PlainOptions, NetworkFacts
{
    std::size_t batchSize{64}; ///< expected batch size; with sampler `full` not in force
    RandomSeed noiseSeed;      ///< names noise and batches: `seed`, or what the settings make of it
    double stepSize{0.0};      ///< gamma > 0
    NodeEpsilons epsilon;      ///< the nodes' targets
    std::optional<double> clip;                 ///< C_0 > 0; empty: the algorithm does not clip
    std::string noiseSource{"philox"};          ///< name in NoiseSources()
    TransportKind transport{};                  ///< which sockets, in packet mode
    double dataRate{LinkParameters().dataRate}; ///< bit/s of a directed link that no file names
    double delay{LinkParameters().delay};       ///< seconds of such a link
    double drop{LinkParameters().drop};         ///< probability that such a link drops a message
    StepScale stepScale{StepScale::PLAIN};      ///< gamma or gamma / w
    Round staleness{0};                         ///< rounds a node may be ahead
    StepTime compute;                           ///< what a local step takes
    std::string compress{"none"};               ///< see MakeCompressor()

    AlgorithmPreset preset;                        ///< with the overrides of the options
    std::vector<FailureEvent> failureEvents;       ///< of options `fail` and `failures`
    NodeSet liars;                                 ///< nodes that lie at some time
    NodeSet leakers;                               ///< nodes whose secrets are known
    std::shared_ptr<GraphSequence> graph;          ///< who sends to whom
    std::shared_ptr<const Dataset> data;           ///< what is learnt from
    std::shared_ptr<const ModelSpec> modelSpec;    ///< what is learnt
    std::vector<float> initial;                    ///< parameters of every node
    Partition examples;                            ///< which example belongs to which node
    std::shared_ptr<const Sampler> batchSampler;   ///< draws the batches
    std::shared_ptr<const NoiseSource> noiseDraws; ///< draws the noise
    /// What the summary says of noise that is correlated, by name.
    std::vector<std::pair<std::string, double>> noiseFigures;
    ChunkLayout chunks;                               ///< how models are cut into shares
    Compression compression;                          ///< how shares travel
    MixRule mixRule;                                  ///< how they are mixed
    std::shared_ptr<const LearningPlan> plan;         ///< schedules
    std::shared_ptr<const ComputeModel> computeModel; ///< what the nodes' local steps take
    std::vector<std::string> warnings;                ///< one line each

    /// As options that ask for what is in force, for the table of options.
    RunOptions AsSettings() const;
};

/**
 * @brief Says what is in force in a run: fills in what was left open, and checks it all.
 *
 * Changes nothing but what it returns; reads the files that the options name.
 * @param asked the options
 * @param facts of the driver
 * @param world what topology and failures may ask of the run
 * @throws UsageError if the options, the files they name or their combination are not accepted
 */
ResolvedRun Resolve(const RunOptions& asked, const NetworkFacts& facts, const RunWorld& world);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RESOLVE_H
