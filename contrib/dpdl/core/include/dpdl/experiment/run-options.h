// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_OPTIONS_H
#define DPDL_EXPERIMENT_RUN_OPTIONS_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"
#include "dpdl/data/dataset.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/run-enums.h"
#include "dpdl/network/link-table.h"
#include "dpdl/trace/run-origin.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// Model of the network that carries the shares.
enum class NetworkKind
{
    MESSAGE, ///< one simulated event per message, with data rate, queue, latency and loss
    IDEAL,   ///< every message arrives immediately
    PACKET,  ///< datagrams or segments through ns-3's protocol stack
};

/// Registry of all network models, by their name in option `network` and in traces.
const Registry<NetworkKind>& Networks();

/// Transport protocol of the shares in packet mode.
enum class TransportKind
{
    UDP,       ///< UDP: one message after another to each neighbour
    TCP,       ///< one connection for each directed link
    BROADCAST, ///< one broadcast for all neighbours of a node
};

/// Registry of all transports, by their name in option `transport` and in traces.
const Registry<TransportKind>& Transports();

// Option values that need no resolution, in four structs. The defaults are those of the command
// line. RunOptions and ResolvedRun derive from all four. A function takes only the struct that it
// needs.

/// Algorithm, model and data: options that determine the nodes' steps and mixing.
struct LearningSettings
{
    std::string algorithm{"dyn-d2p"}; ///< name in Algorithms()
    std::string hyper;                ///< hyper-parameters of the algorithm, NAME=VALUE,...
    /// Path of a CSV file with the header `round,clip,noise`; empty: none.
    std::string scheduleFile;
    std::string recipe{"none"}; ///< `none`, or `best` for tuned options; see WithRecipe()
    /// `sound`: a certified accountant calibrates; `paper`: as the paper states.
    Mode mode{Mode::SOUND};
    Round rounds{200};                    ///< number of rounds K >= 1
    std::string model{"cnn-s"};           ///< name in Models()
    std::string init{"default"};          ///< initial parameters of the model: `default` or `zero`
    std::string dataset{"fashion-mnist"}; ///< name in Datasets()
    std::string dataDir;        ///< folder of the dataset's files; empty: the dataset's default
    std::size_t samples{0};     ///< number of training examples, from the first on; 0: all
    std::size_t testSamples{0}; ///< number of test examples, from the first on; 0: all
    std::string label{"label"}; ///< csv: name of the label column
    double testFraction{0.2};   ///< csv: fraction of the rows in the test split, in (0, 1)
    /// Number of classes in a user's file; 0: largest label + 1; 1: regression.
    std::uint32_t classes{0};
    std::string features{"raw"};             ///< transformation of inputs, see Features::Parse()
    std::string partition{"even"};           ///< name in Partitions()
    std::string sampler{"poisson"};          ///< name in Samplers()
    std::string mix{"average"};              ///< rule for combining shares, see ParseMixRule()
    std::optional<std::size_t> sharedLayers; ///< number of the model's leading parts that nodes
                                             ///< share; 0: all; empty: the preset's number
    /// Fraction of the rounds whose models are averaged, in [0, 1], counted from the end of the
    /// run; 0: none.
    double average{0.0};
    RandomSeed seed;            ///< seed of the run
    std::string device{"auto"}; ///< device for training: auto, cpu or cuda
    std::string engine{"auto"}; ///< gradient engine, a name in GradientEngines()
    unsigned workers{0};        ///< number of training threads; 0: all cores
    bool train{true};           ///< false: nodes only mix and take no steps, for benchmarks
};

/// Noise, and target of the privacy guarantee.
struct PrivacySettings
{
    double delta{1e-4}; ///< delta of the guarantees, in (0, 1)
    bool noise{true};   ///< false: gradients are clipped, but no noise is added
    /// True: noise and batches differ from those of all runs with other settings, even with the
    /// same seed.
    bool independentNoise{false};
    /// Public upper bound on each node's number of examples; 0: the true number of each node counts
    /// as public.
    std::size_t publicExamples{0};
    std::string accountant{"pld"}; ///< name of the accountant that certifies, in Accountants()
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    bool protectsNodes{false}; ///< true: neighbouring datasets differ in all examples of one node
    std::optional<double> stopAt; ///< largest epsilon that a node may spend, > 0; empty: no limit
};

/// Nodes, topology, links, messages, failures, and ends of rounds.
struct NetworkSettings
{
    std::size_t nodes{20};               ///< number of nodes n >= 2
    std::string topology{"exponential"}; ///< topology of every round, see MakeGraphSequence()
    double contactsStart{0.0};           ///< time in the contact file at which the run begins, s
    NetworkKind network{NetworkKind::MESSAGE}; ///< model of the network that carries the shares
    /// Paths of files with parameters of single links, by column.
    std::map<LinkColumn, std::string> linkFiles;
    std::vector<std::string> fail;     ///< failure events, one per text, in the failure language
    std::vector<std::string> failures; ///< paths of files of failure events, applied before `fail`
    std::vector<std::string> absences; ///< failure events derived from a movement trace
    /// Most severe loss of messages that custom code of the driver may cause.
    Outages outages{Outages::NONE};
    LossPolicy lossPolicy{LossPolicy::NONE}; ///< policy for lost messages
    std::size_t chunkBytes{0}; ///< bytes of parameters per message; 0: the whole model
    bool payloadBytes{false};  ///< true: messages carry the parameters as bytes through the network
    Deadline deadline;         ///< longest duration of a round
    /// Rule by which a node waits for shares of other nodes.
    Schedule schedule{Schedule::SYNCHRONOUS};
    /// Number of rounds over which q is measured; 0: chosen by QMonitor from the topology.
    Round qWindow{0};
    bool measureQ{true}; ///< false: the contraction factor q is not measured, for benchmarks

    /// True if a node mixes shares of rounds that it has not reached.
    bool MixesEarly() const
    {
        return schedule == Schedule::WAIT_FREE;
    }
};

/// Trace, evaluations, checkpoints, and other output of the run.
struct OutputSettings
{
    std::string trace;                       ///< path of the trace; empty: NAME-SEED-RUN.db
    bool overwrite{false};                   ///< true: replace an existing trace
    TraceLevel traceLevel{TraceLevel::FULL}; ///< rows in the trace
    Round evaluateEvery{10};                 ///< rounds between evaluations; 0: at the end only
    /// Number of leading test examples in evaluations before the end of the run; 0: all.
    std::size_t evaluateSamples{2000};
    Round snapshotEvery{0};    ///< rounds between snapshots; 0: at the end only
    CheckpointRule checkpoint; ///< interval between checkpoints
    bool progress{true};       ///< true: show the progress of the run
    RunOrigin origin;          ///< command that starts the run again; empty: it cannot be resumed
    std::string resume; ///< command that reproduces the run; empty: the run cannot be resumed

    /// Path of the trace that the run writes or resumes.
    const std::string& TracePath() const
    {
        return resume.empty() ? trace : resume;
    }
};

/**
 * @brief Options of a learning run. Each value is checked, but not combinations of options.
 *
 * Resolve() determines the values of empty options.
 */
struct RunOptions : LearningSettings, PrivacySettings, NetworkSettings, OutputSettings
{
    std::optional<std::size_t> batchSize;   ///< expected batch size of a node, in examples
    std::optional<double> stepSize;         ///< learning rate gamma > 0
    std::optional<NodeEpsilons> epsilon;    ///< target epsilons of the nodes
    std::optional<double> clip;             ///< clip norm C_0 > 0
    std::optional<std::string> noiseSource; ///< name in NoiseSources()
    std::optional<TransportKind> transport; ///< protocol of packet mode
    /// Data rate of a directed link without an entry in a file, bit/s.
    std::optional<double> dataRate;
    std::optional<double> delay; ///< latency of a link without an entry in a file, s
    /// Loss probability of a link without an entry in a file, in [0, 1).
    std::optional<double> drop;
    /// Whether a node scales its local step by its push-sum weight; empty: ResolveStepScale()
    /// decides.
    std::optional<StepScale> stepScale;
    /// Largest number of rounds by which a node may be ahead of the shares for which it waits.
    std::optional<Round> staleness;
    std::optional<std::string> compress; ///< compression of shares, see MakeCompressor()
    std::optional<StepTime> compute;     ///< duration of a local step
    std::set<std::string> given;         ///< names of the options that SetOption() has set
};

/// True if TCP, which retransmits lost segments, carries the messages.
/// @param run RunOptions or ResolvedNetwork
template <typename Run>
bool
UsesTcp(const Run& run)
{
    return run.network == NetworkKind::PACKET && run.transport == TransportKind::TCP;
}

/// Parameters of links without an entry in a link file: the given options, and defaults for options
/// that were not given.
LinkParameters AskedLink(const RunOptions& settings);

/**
 * @brief Reads the parameters of every link from the link files that the options name.
 *
 * A file with several columns sets one parameter per column, except parameters whose option the
 * user gave.
 * @param settings options of the run
 * @param defaults parameters for links and columns that no file sets
 * @return table of all links; nullptr if no option names a file
 * @throws UsageError naming file and line, if a file cannot be read or is not accepted
 */
std::shared_ptr<const LinkTable> ReadLinks(const RunOptions& settings,
                                           const LinkParameters& defaults);

/**
 * @brief Loads the dataset that the options name.
 * @param settings options of the run
 * @param samples number of training examples; 0: all
 * @param testSamples number of test examples; 0: all
 * @throws UsageError naming the option or file, if LoadDataset() cannot read or generate the
 *         dataset
 */
std::shared_ptr<const Dataset> DataOf(const LearningSettings& settings,
                                      std::size_t samples,
                                      std::size_t testSamples);

/**
 * @brief Smallest number k of completed rounds whose models z^k enter the evaluated mean of a
 *        node's models, by option `average`.
 * @return K + 1 - m, with K rounds and m = max(1, round(`average` * K)). The largest value of Round
 *         if no model is averaged
 */
Round FirstAveraged(const LearningSettings& settings);

/// Default path of a trace, NAME-SEED-RUN.db.
/// @param name name of the scenario
/// @param seed seed and run number
std::string TraceName(const std::string& name, RandomSeed seed);

/// TraceName(), if that file does not exist. If it exists: the first of NAME-SEED-RUN-2.db,
/// NAME-SEED-RUN-3.db, ... that does not exist.
std::string FreeTraceName(const std::string& name, RandomSeed seed);

/// Preset of the algorithm, with the overrides of the options.
/// @throws UsageError if the algorithm does not support a given option
AlgorithmPreset ResolvePreset(const RunOptions& settings);

/**
 * @brief Copies the value of a deprecated ns-3 attribute to the hyper-parameter that replaces it.
 *        No effect if the algorithm does not have this hyper-parameter.
 * @param asked options of the run
 * @param attribute name of the attribute, such as ClipDecay
 * @param name name of the hyper-parameter, such as clipDecay
 * @param factor value of the attribute; 0: nothing is written
 * @throws UsageError if the factor is not 0 and below 1, or the algorithm is unknown
 */
void WriteFactor(RunOptions& asked,
                 const std::string& attribute,
                 const std::string& name,
                 double factor);

/**
 * @brief Splits the shared parameters into chunks, by option `chunk`.
 * @param settings options of the run
 * @param parameters number of shared parameters
 * @throws UsageError if there are more chunks than the chunk index in a message can represent
 */
ChunkLayout ResolveChunks(const NetworkSettings& settings, std::size_t parameters);

/// Value of option `stepScale`. If it is not given, the mode and the policy for lost messages
/// determine it.
StepScale ResolveStepScale(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_OPTIONS_H
