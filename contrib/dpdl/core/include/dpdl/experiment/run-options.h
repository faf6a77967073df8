// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_OPTIONS_H
#define DPDL_EXPERIMENT_RUN_OPTIONS_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/network-kind.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/run-choices.h"
#include "dpdl/network/link-table.h"
#include "dpdl/trace/run-origin.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Options of a learning run that are in force as they were asked for.
 *
 * The defaults are those of the command line.
 */
struct PlainOptions
{
    std::string algorithm{"dyn-d2p"};           ///< name in Algorithms()
    std::string hyper;                          ///< hyper-parameters, NAME=VALUE,...
    std::string scheduleFile;                   ///< clip and noise by round; empty: none
    Mode mode{Mode::SOUND};                     ///< reading of the paper
    std::string model{"cnn-s"};                 ///< name in Models()
    std::string dataset{"fashion-mnist"};       ///< name in Datasets()
    std::string dataDir;                        ///< folder of the files; empty: the dataset's own
    std::size_t samples{0};                     ///< first N training examples; 0: all
    std::string label{"label"};                 ///< column of the labels in a user's table
    double testFraction{0.2};                   ///< share of its rows that tests, in (0, 1)
    std::uint32_t classes{0};                   ///< of a user's file; 0: counted, 1: regression
    std::size_t publicExamples{0};              ///< public bound of a node's examples; 0: none
    std::size_t testSamples{0};                 ///< first N test examples; 0: all
    std::string features{"raw"};                ///< see Features::Parse()
    std::string recipe{"none"};                 ///< none or best; see WithRecipe()
    std::string partition{"even"};              ///< name in Partitions()
    std::size_t nodes{20};                      ///< n >= 2
    Round rounds{200};                          ///< K >= 1
    std::string sampler{"poisson"};             ///< name in Samplers()
    bool independentNoise{false};               ///< randomness that no other run of the seed has
    std::string init{"default"};                ///< default or zero
    double delta{1e-4};                         ///< in (0, 1)
    bool noise{true};                           ///< false: clip but add no noise
    std::string accountant{"pld"};              ///< certified name in Accountants()
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    bool protectsNodes{false};                  ///< neighbours differ in all examples of a node
    std::optional<double> stopAt;               ///< epsilon that no node exceeds; empty: none
    std::string topology{"exponential"};        ///< specification for MakeGraphSequence()
    NetworkKind network{NetworkKind::MESSAGE};  ///< which network
    LinkFiles linkFiles;                        ///< files with parameters of single links
    std::vector<std::string> fail;              ///< events of the failure language
    std::vector<std::string> failures;          ///< files of such events, read before `fail`
    std::vector<std::string> absences;          ///< such events that a movement trace brings
    LossPolicy lossPolicy{LossPolicy::NONE};    ///< what becomes of lost mass
    std::string mix{"average"};                 ///< see ParseMixRule()
    std::optional<std::size_t> sharedLayers;    ///< parts that travel, 0: all; empty: the preset's
    std::size_t chunkBytes{0};                  ///< parameters of a message; 0: the whole model
    Deadline deadline;                          ///< end of a round
    Schedule schedule{Schedule::SYNCHRONOUS};   ///< who waits for whom
    std::string device{"auto"};                 ///< auto, cpu or cuda
    unsigned workers{0};                        ///< training threads; 0: all cores
    RandomSeed seed;                            ///< names the run
    std::string trace;                          ///< path; empty: NAME-SEED-RUN.db
    bool overwrite{false};                      ///< replace an existing trace
    bool payloadBytes{false};                   ///< messages carry the parameters as bytes
    TraceLevel traceLevel{TraceLevel::FULL};    ///< which rows
    Round evaluateEvery{10};                    ///< rounds between evaluations; 0: at the end only
    double average{0.0};                        ///< share of the last rounds that is averaged
    Round snapshotEvery{0};                     ///< rounds between snapshots; 0: at the end only
    CheckpointRule checkpoint;                  ///< when what it takes to go on is kept
    Round qWindow{0};                           ///< rounds of a q window; 0: max(period, B)
    bool progress{true};                        ///< show how far the run is
    std::string engine{"auto"};                 ///< a name in GradientEngines()
    Outages outages{Outages::NONE};             ///< what the program itself does to messages
    bool measureQ{true};                        ///< false: no q, for benchmarks
    bool train{true};                           ///< false: gossip only, for benchmarks
    RunOrigin origin;                           ///< to begin it again; empty: it cannot be resumed
    std::string resume;                         ///< trace to go on with; empty: the run is new

    /// True if shares are mixed before the round that they belong to.
    bool MixesEarly() const
    {
        return schedule == Schedule::WAIT_FREE;
    }
};

/**
 * @brief Options of a learning run, checked one by one but not against each other.
 *
 * An empty option was left open: Resolve() decides it.
 */
struct RunOptions : PlainOptions
{
    std::optional<std::size_t> batchSize;   ///< expected batch size
    std::optional<double> stepSize;         ///< gamma > 0
    std::optional<NodeEpsilons> epsilon;    ///< the nodes' targets
    std::optional<double> clip;             ///< C_0 > 0
    std::optional<std::string> noiseSource; ///< name in NoiseSources()
    std::optional<TransportKind> transport; ///< which sockets, in packet mode
    std::optional<double> dataRate;         ///< bit/s of a directed link that no file names
    std::optional<double> delay;            ///< seconds of such a link
    std::optional<double> drop;             ///< probability that such a link drops a message
    std::optional<StepScale> stepScale;     ///< gamma or gamma / w
    std::optional<Round> staleness;         ///< rounds a node may be ahead
    std::optional<std::string> compress;    ///< see MakeCompressor()
    std::optional<StepTime> compute;        ///< what a local step takes
    std::set<std::string> given;            ///< options that SetOption() has set
};

/// True if messages travel in TCP connections, which repeat what is lost themselves. @param run
/// RunOptions or ResolvedRun
template <typename Run>
bool
UsesTcp(const Run& run)
{
    return run.network == NetworkKind::PACKET && run.transport == TransportKind::TCP;
}

/**
 * @brief The parameters of every link, from the options' files.
 *
 * A file that names several columns gives them all, except those whose option was given itself.
 * @param settings the options, with the number of nodes
 * @param defaults of links and columns that no file names
 * @return the table; empty if no option names a file
 * @throws UsageError if a file cannot be read or is not accepted
 */
std::shared_ptr<const LinkTable> ReadLinks(const RunOptions& settings,
                                           const LinkParameters& defaults);

/**
 * @brief The data that the options name.
 * @param settings RunOptions or ResolvedRun
 * @param samples number of training examples, 0: all
 * @param testSamples number of test examples, 0: all
 */
std::shared_ptr<const Dataset> DataOf(const PlainOptions& settings,
                                      std::size_t samples,
                                      std::size_t testSamples);

/**
 * @brief The first round whose models are averaged, by the option `average`.
 * @return K + 1 - m of rounds 0..K, where m is the share of the K rounds, rounded, at least 1; the
 *         largest round if nothing is averaged
 */
Round FirstAveraged(const PlainOptions& settings);

/// NAME-SEED-RUN.db, the default name of a trace.
std::string TraceName(const std::string& name, RandomSeed seed);

/// TraceName(), with a number from 2 on behind it if there are such files: NAME-SEED-RUN-2.db.
std::string FreeTraceName(const std::string& name, RandomSeed seed);

/// The algorithm's preset with the overrides of the options. @throws UsageError if it has no such
AlgorithmPreset ResolvePreset(const RunOptions& settings);

/**
 * @brief Writes a deprecated attribute to the hyper-parameter that replaces it, if there is one.
 * @param asked the options
 * @param attribute its name, such as ClipDecay
 * @param name of the hyper-parameter, such as clipDecay
 * @param factor its value; 0: nothing is written
 * @throws UsageError if the factor is below 1, or there is no such algorithm
 */
void WriteFactor(RunOptions& asked,
                 const std::string& attribute,
                 const std::string& name,
                 double factor);

/**
 * @brief Cuts the parameters that travel, by the option `chunk`.
 * @param settings the options
 * @param parameters number of the parameters that travel
 * @throws UsageError if that would be more chunks than a message can count
 */
ChunkLayout ResolveChunks(const PlainOptions& settings, std::size_t parameters);

/// The step scale in force: the one asked for, else that of the mode and the loss policy.
StepScale ResolveStepScale(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_OPTIONS_H
