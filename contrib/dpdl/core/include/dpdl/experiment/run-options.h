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

/// Fidelity of the network that carries the shares.
enum class NetworkKind
{
    MESSAGE, ///< one event per message: serialization, queue, latency, loss
    IDEAL,   ///< every message arrives immediately
    PACKET,  ///< datagrams or segments through ns-3's stack
};

/// All networks, by their name in option `network` and traces.
const Registry<NetworkKind>& Networks();

/// Sockets that carry the shares in packet mode.
enum class TransportKind
{
    UDP,       ///< datagrams, one message after another to each neighbour
    TCP,       ///< one connection for each directed link
    BROADCAST, ///< one transmission for all neighbours of a node
};

/// All transports, by their name in option `transport` and traces.
const Registry<TransportKind>& Transports();

// Options whose values are used as given, in four parts. The defaults are those of the command
// line. RunOptions and ResolvedRun derive from the parts, and a function takes the part that it
// needs.

/// Algorithm, model and data: all that decides a node's steps and mixing.
struct LearningSettings
{
    std::string algorithm{"dyn-d2p"}; ///< name in Algorithms()
    std::string hyper;                ///< hyper-parameters of the algorithm, NAME=VALUE,...
    std::string scheduleFile;         ///< file with clip bound and noise by round; empty: none
    std::string recipe{"none"};       ///< `none`, or `best`: tuned options, see WithRecipe()
    Mode mode{Mode::SOUND};           ///< `sound`, or `paper`: as the paper states the algorithm
    Round rounds{200};                ///< number of rounds K >= 1
    std::string model{"cnn-s"};       ///< name in Models()
    std::string init{"default"};      ///< initial parameters of the model: default or zero
    std::string dataset{"fashion-mnist"}; ///< name in Datasets()
    std::string dataDir;                  ///< folder of the files; empty: the dataset's default
    std::size_t samples{0};      ///< number of training examples, from the first on; 0: all
    std::size_t testSamples{0};  ///< number of test examples, from the first on; 0: all
    std::string label{"label"};  ///< column of the labels in a user's table
    double testFraction{0.2};    ///< fraction of the table's rows for testing, in (0, 1)
    std::uint32_t classes{0};    ///< number of classes in a user's file; 0: counted, 1: regression
    std::string features{"raw"}; ///< transformation of inputs, see Features::Parse()
    std::string partition{"even"};           ///< name in Partitions()
    std::string sampler{"poisson"};          ///< name in Samplers()
    std::string mix{"average"};              ///< rule for combining shares, see ParseMixRule()
    std::optional<std::size_t> sharedLayers; ///< number of the model's leading parts that nodes
                                             ///< share; 0: all; empty: the preset's number
    /// Fraction of the rounds, at the end of the run, whose models are averaged; 0: none.
    double average{0.0};
    RandomSeed seed;            ///< seed of the run
    std::string device{"auto"}; ///< processor for training: auto, cpu or cuda
    std::string engine{"auto"}; ///< gradient engine, a name in GradientEngines()
    unsigned workers{0};        ///< number of training threads; 0: all cores
    bool train{true};           ///< false: nodes only mix and do not learn, for benchmarks
};

/// The noise, and the privacy guarantee that the run aims at.
struct PrivacySettings
{
    double delta{1e-4};           ///< delta of the guarantees, in (0, 1)
    bool noise{true};             ///< false: clip but add no noise
    bool independentNoise{false}; ///< true: noise and batches differ from all other runs with this
                                  ///< seed
    /// Public upper bound on each node's number of examples; 0: none.
    std::size_t publicExamples{0};
    std::string accountant{"pld"};              ///< certifying accountant, a name in Accountants()
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    bool protectsNodes{false};    ///< true: neighbouring datasets differ in all examples of a node
    std::optional<double> stopAt; ///< limit on every node's epsilon; empty: none
};

/// Nodes, their messages and failures, and the ends of rounds.
struct NetworkSettings
{
    std::size_t nodes{20};               ///< number of nodes n >= 2
    std::string topology{"exponential"}; ///< edges of every round, see MakeGraphSequence()
    double contactsStart{0.0};           ///< time in the contact file at which the run begins, s
    NetworkKind network{NetworkKind::MESSAGE};   ///< network that carries the shares
    std::map<LinkColumn, std::string> linkFiles; ///< files with values of single links, by column
    std::vector<std::string> fail;     ///< failure events in the failure language, one per text
    std::vector<std::string> failures; ///< files of failure events, read before `fail`
    std::vector<std::string> absences; ///< failure events from a movement trace
    Outages outages{Outages::NONE};    ///< losses caused by custom code of the program
    LossPolicy lossPolicy{LossPolicy::NONE}; ///< treatment of lost messages
    std::size_t chunkBytes{0}; ///< bytes of parameters per message; 0: the whole model
    bool payloadBytes{false};  ///< messages carry the parameters as bytes
    Deadline deadline;         ///< longest duration of a round
    Schedule schedule{Schedule::SYNCHRONOUS}; ///< rule for waiting for other nodes
    Round qWindow{0}; ///< rounds of a window in which q is measured; 0: the topology's period, or
                      ///< its bound B of connected windows if that is larger
    bool measureQ{true}; ///< false: q is not measured, for benchmarks

    /// True if shares may be mixed before their round is reached.
    bool MixesEarly() const
    {
        return schedule == Schedule::WAIT_FREE;
    }
};

/// Trace of the run, and all that only observes it.
struct OutputSettings
{
    std::string trace;                       ///< path of the trace; empty: NAME-SEED-RUN.db
    bool overwrite{false};                   ///< true: replace an existing trace
    TraceLevel traceLevel{TraceLevel::FULL}; ///< kinds of rows in the trace
    Round evaluateEvery{10};                 ///< rounds between evaluations; 0: at the end only
    std::size_t evaluateSamples{2000};       ///< number of test examples, from the first on, in
                                             ///< evaluations before the end of the run; 0: all
    Round snapshotEvery{0};                  ///< rounds between snapshots; 0: at the end only
    CheckpointRule checkpoint;               ///< interval between checkpoints
    bool progress{true};                     ///< true: show the progress of the run
    RunOrigin origin;   ///< command that starts the run again; empty: it cannot be resumed
    std::string resume; ///< trace of the run to resume; empty: the run is new

    /// Path of the trace that the run writes.
    const std::string& TracePath() const
    {
        return resume.empty() ? trace : resume;
    }
};

/**
 * @brief Options of a learning run, checked individually but not against each other.
 *
 * Resolve() determines the value of an empty option.
 */
struct RunOptions : LearningSettings, PrivacySettings, NetworkSettings, OutputSettings
{
    std::optional<std::size_t> batchSize;   ///< expected batch size of a node, in examples
    std::optional<double> stepSize;         ///< learning rate gamma > 0
    std::optional<NodeEpsilons> epsilon;    ///< target epsilons of the nodes
    std::optional<double> clip;             ///< clip bound C_0 > 0
    std::optional<std::string> noiseSource; ///< name in NoiseSources()
    std::optional<TransportKind> transport; ///< transport of packet mode
    std::optional<double> dataRate;         ///< bit/s of a directed link without an entry in a file
    std::optional<double> delay;            ///< delay of a link without an entry in a file, s
    std::optional<double> drop;          ///< loss probability of a link without an entry in a file
    std::optional<StepScale> stepScale;  ///< scaling of the step by the push-sum weight
    std::optional<Round> staleness;      ///< rounds that a node may be ahead of received shares
    std::optional<std::string> compress; ///< compression of shares, see MakeCompressor()
    std::optional<StepTime> compute;     ///< duration of a local step
    std::set<std::string> given;         ///< names of options set by SetOption()
};

/// True if messages use TCP connections, which retransmit lost segments. @param run RunOptions or
/// ResolvedNetwork
template <typename Run>
bool
UsesTcp(const Run& run)
{
    return run.network == NetworkKind::PACKET && run.transport == TransportKind::TCP;
}

/// Parameters of links without an entry in a link file: the values of options that were given, and
/// defaults for the other parameters.
LinkParameters AskedLink(const RunOptions& settings);

/**
 * @brief Reads the parameters of every link from the link files that the options name.
 *
 * A file with several columns sets all of them, except those whose option was given explicitly.
 * @param settings the options, with the number of nodes
 * @param defaults parameters of links and columns that no file sets
 * @return the table; empty if no option names a file
 * @throws UsageError if a file cannot be read or is not accepted
 */
std::shared_ptr<const LinkTable> ReadLinks(const RunOptions& settings,
                                           const LinkParameters& defaults);

/**
 * @brief Loads the dataset that the options name.
 * @param settings the options
 * @param samples number of training examples, 0: all
 * @param testSamples number of test examples, 0: all
 */
std::shared_ptr<const Dataset> DataOf(const LearningSettings& settings,
                                      std::size_t samples,
                                      std::size_t testSamples);

/**
 * @brief The first round whose models are averaged, by option `average`.
 * @return K + 1 - m, where K is the number of rounds and m is `average` times K, rounded, at least
 *        1; the largest value of Round if nothing is averaged
 */
Round FirstAveraged(const LearningSettings& settings);

/// The default name of a trace, NAME-SEED-RUN.db. @param name the scenario's name @param seed seed
/// and run
std::string TraceName(const std::string& name, RandomSeed seed);

/// TraceName() if no such file exists, else the first free name of NAME-SEED-RUN-2.db, -3, ...
std::string FreeTraceName(const std::string& name, RandomSeed seed);

/// The preset of the options' algorithm, with the options applied. @throws UsageError if the
/// algorithm does not support one of them
AlgorithmPreset ResolvePreset(const RunOptions& settings);

/**
 * @brief Writes a deprecated attribute to the hyper-parameter that replaces it, if there is one.
 * @param asked the options
 * @param attribute name of the attribute, such as ClipDecay
 * @param name of the hyper-parameter, such as clipDecay
 * @param factor value of the attribute; 0: nothing is written
 * @throws UsageError if the factor is below 1, or there is no such algorithm
 */
void WriteFactor(RunOptions& asked,
                 const std::string& attribute,
                 const std::string& name,
                 double factor);

/**
 * @brief Splits the shared parameters into chunks, by option `chunk`.
 * @param settings the options
 * @param parameters number of shared parameters
 * @throws UsageError if there are more chunks than a message can number
 */
ChunkLayout ResolveChunks(const NetworkSettings& settings, std::size_t parameters);

/// The step scale that the options give. Without one, it follows from the mode and the policy for
/// lost messages.
StepScale ResolveStepScale(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_OPTIONS_H
