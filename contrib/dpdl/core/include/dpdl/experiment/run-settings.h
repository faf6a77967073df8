// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RUN_SETTINGS_H
#define DPDL_EXPERIMENT_RUN_SETTINGS_H

#include "dpdl/algorithm/learner.h"
#include "dpdl/base/random.h"
#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/network-kind.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/run-choices.h"
#include "dpdl/experiment/run-part.h"
#include "dpdl/experiment/transport-kind.h"
#include "dpdl/network/link-table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Every option of a learning run, checked one by one but not against each other.
 *
 * The defaults are those of the command line; OptionTable reads them from text. Experiment checks
 * what needs several of them at once, or the data.
 */
struct RunSettings
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
    std::size_t testSamples{0};                 ///< first N test examples; 0: all
    std::string partition{"even"};              ///< name in Partitions()
    std::size_t nodes{20};                      ///< n >= 2
    Round rounds{200};                          ///< K >= 1
    std::size_t batchSize{64};                  ///< expected batch size
    std::string sampler{"poisson"};             ///< name in Samplers()
    std::optional<double> stepSize;             ///< gamma > 0; empty: the preset's
    std::string init{"default"};                ///< default or zero
    NodeEpsilons epsilon;                       ///< the nodes' targets
    double delta{1e-4};                         ///< in (0, 1)
    std::optional<double> clip;                 ///< C_0 > 0; empty: the preset's
    std::optional<double> clipDecay;            ///< rho_c >= 1; empty: the preset's
    std::optional<double> noiseGrowth;          ///< rho_mu >= 1; empty: the preset's
    bool noise{true};                           ///< false: clip but add no noise
    std::string noiseSource{"philox"};          ///< name in NoiseSources()
    std::string accountant{"pld"};              ///< certified name in Accountants()
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    std::optional<double> stopAt;               ///< epsilon that no node exceeds; empty: none
    std::string topology{"exponential"};        ///< specification for MakeGraphSequence()
    NetworkKind network{NetworkKind::MESSAGE};  ///< which network
    TransportKind transport{};                  ///< which sockets, in packet mode
    double dataRate{10e6};                      ///< bit/s of a directed link that no file names
    double delay{5e-3};                         ///< seconds of such a link
    double drop{0.0};                           ///< probability that such a link drops a message
    LinkFiles linkFiles;                        ///< files with parameters of single links
    std::vector<std::string> fail;              ///< sentences of the failure language
    std::vector<std::string> failures;          ///< files of such sentences, read before `fail`
    LossPolicy lossPolicy{LossPolicy::NONE};    ///< what becomes of lost mass
    std::optional<std::size_t> share;           ///< parts that travel, 0: all; empty: the preset's
    std::size_t chunkBytes{0};                  ///< parameters of a message; 0: the whole model
    std::optional<StepScale> stepScale;         ///< empty: auto
    Deadline deadline;                          ///< end of a round
    Schedule schedule{Schedule::SYNCHRONOUS};   ///< who waits for whom
    std::optional<Round> staleness;             ///< rounds a node may be ahead; empty: auto
    Outages outages{Outages::NONE};             ///< what failures may do. Of the driver
    StepTime compute;                           ///< what a local step takes
    std::string device{"auto"};                 ///< auto, cpu or cuda
    unsigned workers{0};                        ///< training threads; 0: all cores
    RandomSeed seed;                            ///< names the run
    std::string trace;                          ///< path; empty: NAME-SEED-RUN.db
    bool overwrite{false};                      ///< replace an existing trace
    bool payloadBytes{false};                   ///< messages carry the parameters as bytes
    TraceLevel traceLevel{TraceLevel::FULL};    ///< which rows
    Round evaluateEvery{10};                    ///< rounds between evaluations; 0: at the end only
    Round snapshotEvery{0};                     ///< rounds between snapshots; 0: at the end only
    Round qWindow{0};                           ///< rounds of a q window; 0: max(period, B)
    bool progress{true};                        ///< show how far the run is
    std::string engine{"auto"};                 ///< a name in GradientEngines()
    bool measureQ{true};                        ///< false: no q, for benchmarks
    std::set<std::string> given;                ///< options that were set by SetOption()
    bool train{true};                           ///< false: gossip only, for benchmarks
    std::shared_ptr<const LinkTable> links;     ///< every link; empty: all alike. Of the driver
    RunPart part;                               ///< nodes of this process. Of the driver
    std::shared_ptr<RankLink> rankLink;         ///< to the other ranks; empty: there are none
    /// Seconds until the last message of a round has arrived, of the driver; empty: by the options
    std::function<double(const GraphSequence&, std::uint64_t bytes)> transferSeconds;

    /// True if messages travel in TCP connections, which repeat what is lost themselves.
    bool UsesTcp() const
    {
        return network == NetworkKind::PACKET && transport == TransportKind::TCP;
    }

    /// True if an option was given by its name, or its field was changed from the default.
    template <typename T>
    bool IsSet(const std::string& option, T RunSettings::*field) const
    {
        return given.count(option) > 0 || this->*field != RunSettings{}.*field;
    }
};

/**
 * @brief The parameters of every link, from the options' files.
 *
 * A file that names several columns gives them all, except those whose option was given itself.
 * @param settings the options, with the number of nodes
 * @param defaults of links and columns that no file names
 * @return the table; empty if no option names a file
 * @throws UsageError if a file cannot be read or is not accepted
 */
std::shared_ptr<const LinkTable> ReadLinks(const RunSettings& settings,
                                           const LinkParameters& defaults);

/// NAME-SEED-RUN.db, what a trace is called if nobody says otherwise.
std::string TraceName(const std::string& name, RandomSeed seed);

/// TraceName(), with a number from 2 on behind it if there are such files: NAME-SEED-RUN-2.db.
std::string FreeTraceName(const std::string& name, RandomSeed seed);

/// The algorithm's preset with the overrides of the options. @throws UsageError if it has no such
AlgorithmPreset PresetInForce(const RunSettings& settings);

/**
 * @brief The noise source in force: the algorithm's if it has one of its own, else the user's.
 * @throws UsageError if the user chose another than the algorithm's, or Laplace noise for an
 *         algorithm that does not ask for it
 */
std::string NoiseSourceInForce(const RunSettings& settings, const AlgorithmPreset& preset);

/// The staleness in force: the one asked for if asynchronous, else 0; 1 if left open.
Round StalenessInForce(const RunSettings& settings);

/**
 * @brief Length of the beginning of a model that travels: by the option `share`, or the preset,
 *        which takes all of a model that has no more parts.
 * @param settings the options
 * @param preset of the algorithm
 * @param model what is learnt
 * @throws UsageError if the model has fewer parts than that
 */
std::size_t SharedParameters(const RunSettings& settings,
                             const AlgorithmPreset& preset,
                             const ModelSpec& model);

/**
 * @brief How what travels of a model is cut: by the option `chunk`.
 * @param settings the options
 * @param parameters number of the parameters that travel
 * @throws UsageError if that would be more chunks than a message can count
 */
ChunkLayout ChunksInForce(const RunSettings& settings, std::size_t parameters);

/// The step scale in force: the one asked for, else that of the mode and the loss policy.
StepScale StepScaleInForce(const RunSettings& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RUN_SETTINGS_H
