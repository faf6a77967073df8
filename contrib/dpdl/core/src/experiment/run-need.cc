// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-need.h"

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/checkpoint-log.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>

// Estimates the memory and disk space of a run from measured sizes of nodes, messages, rounds and
// rows.

namespace dpdl
{

namespace
{

/// Memory in bytes of the program during a run: code, libraries except CUDA's, and workspaces of
/// small models.
constexpr double PROGRAM_BYTES = 48e6;
/// Memory in bytes of the program and its libraries, except CUDA's, before a run begins.
constexpr double LOADED_BYTES = 36e6;
/// CUDA's and other libraries need this fraction more memory when the program ends.
constexpr double LIBRARY_GROWTH = 0.36;
/// Memory in bytes of LibTorch, which is loaded only for LibTorch's engines.
constexpr double TORCH_BYTES = 205e6;
/// Number of copies of each layer's outputs that one worker holds, for the native engine and for
/// LibTorch's engines. It includes parallel examples and gradients.
constexpr double NATIVE_COPIES = 100.0;
constexpr double TORCH_COPIES = 50.0;
/// Memory in bytes of one node without its model: ns-3's node and application, learner and rows.
constexpr double NODE_BYTES = 2e3;
/// Average number of parameter vectors per node: its state, and earlier states in messages in
/// flight.
constexpr double VECTORS = 2.1;
/// Number of copies of all models in memory while a checkpoint is written: states, messages in
/// flight, and SQLite's copies.
constexpr double CHECKPOINT_COPIES = 8.0;
/// Memory in bytes of one message in flight without its parameters: event, packet and row.
constexpr double MESSAGE_BYTES = 1100.0;
/// Memory in bytes for measuring q. Up to ContractionTracker::MOST_DENSE nodes it is PAIR_BYTES per
/// pair of nodes. With more nodes it is Q_NODE_BYTES per node, Q_SHARE_BYTES per share of a round,
/// and Q_WINDOW_BYTES per share of each round of a window.
constexpr double PAIR_BYTES = 8.0;
constexpr double Q_NODE_BYTES = 1200.0;
constexpr double Q_SHARE_BYTES = 64.0;
constexpr double Q_WINDOW_BYTES = 64.0;
/// Memory in bytes of one round, in the noise schedule and in the ledger.
constexpr double ROUND_BYTES = 350.0;
/// Memory in bytes, in the ledger and the accountant, of one step with a distinct noise standard
/// deviation and clip norm.
constexpr double STEP_BYTES = 850.0;

constexpr double TRACE_BYTES = 170e3;  ///< bytes of an empty trace
constexpr double NODE_ROW_BYTES = 120; ///< bytes in the trace per node and round, without messages
constexpr double MESSAGE_ROW_BYTES = 76;

/// The disk space is not checked if the expected size of the trace, in bytes, is at most this.
constexpr double SHORT_TRACE_BYTES = 16.0 * 1024 * 1024;

/// Assumed number of examples of a dataset of unknown size: that of Fashion-MNIST.
constexpr std::size_t USUAL_SAMPLES = 70000;

/// Sizes of the examples and of the model. All are 0 if the dataset is a user's table (CSV), which
/// is not read for the estimate.
struct Sizes
{
    double examples{0.0};   ///< bytes of all examples
    double parameters{0.0}; ///< bytes of one vector of all model parameters
    bool usesTorch{false};  ///< true: an engine of LibTorch computes the gradients
    /// Bytes of the activations (outputs of all layers) in all workers; 0 if they are not known,
    /// as for built-in models with fixed layers (ModelSpec::values).
    double values{0.0};
};

Sizes
SizesOf(const LearningSettings& settings)
{
    if (IsUserFile(settings.dataset, ".csv"))
    {
        return {};
    }
    const auto data = DataOf(settings, 1, 1);
    const std::size_t examples =
        settings.samples > 0 ? settings.samples + settings.testSamples : USUAL_SAMPLES;
    const double bytes = data->train.pixels.empty() ? sizeof(float) : 1.0;
    const ModelSpec model = MakeModel(settings.model, data->shape, data->classes);
    const double workers =
        settings.workers > 0 ? settings.workers : std::thread::hardware_concurrency();
    const bool usesTorch = ResolveEngine(settings.engine, model) != "native";
    const double copies = (usesTorch ? TORCH_COPIES : NATIVE_COPIES) * workers;
    return {static_cast<double>(examples) * static_cast<double>(data->shape.Size()) * bytes,
            sizeof(float) * static_cast<double>(model.ParameterCount()),
            usesTorch,
            sizeof(float) * model.values * copies};
}

double
SumOf(const std::map<std::string, double>& parts)
{
    return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const auto& part) {
        return sum + part.second;
    });
}

/// Number after @p name in the first line of a file that begins with @p name. Infinity if there is
/// no such line. Reads files such as /proc/meminfo.
double
KernelNumber(const std::string& path, const std::string& name = "")
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
    {
        std::istringstream words(line.substr(std::min(name.size(), line.size())));
        double number = 0.0;
        if (line.rfind(name, 0) == 0 && words >> number)
        {
            return number;
        }
    }
    return std::numeric_limits<double>::infinity();
}

void
Refuse(const std::string& resource, const std::map<std::string, double>& parts, double atHand)
{
    const double bytes = SumOf(parts);
    if (!(bytes > atHand))
    {
        return;
    }
    const auto most =
        std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        });
    throw UsageError("a run that needs about " + ShowRounded(bytes * 1e-9, 3) + " GB of " +
                     resource + " is not accepted; expected at most " +
                     ShowRounded(std::max(0.0, atHand) * 1e-9, 3) +
                     " GB, what is available here; most of it is for " + most->first);
}

double
BytesOfQ(const RunOptions& settings, double messages)
{
    const auto nodes = static_cast<double>(settings.nodes);
    if (settings.nodes <= ContractionTracker::MOST_DENSE)
    {
        return PAIR_BYTES * nodes * nodes;
    }
    const double window =
        settings.qWindow > 0 ? static_cast<double>(settings.qWindow) : std::ceil(std::log2(nodes));
    const double rounds = std::min(window, static_cast<double>(settings.rounds));
    const double shares = nodes + messages;
    return Q_NODE_BYTES * nodes + (Q_SHARE_BYTES + Q_WINDOW_BYTES * rounds) * shares;
}

} // namespace

double
LeastBytes(const NetworkSettings& settings)
{
    const auto nodes = static_cast<double>(settings.nodes);
    return nodes * (NODE_BYTES + MESSAGE_BYTES * ForecastDegree(settings.topology, settings.nodes));
}

double
MemoryAtHand()
{
    double bytes = 1024.0 * KernelNumber("/proc/meminfo", "MemAvailable:");
    std::string group = "/";
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
    {
        group = line.rfind("0::", 0) == 0 ? line.substr(3) : group;
    }
    for (const std::string& name : {std::string("/"), group + "/"})
    {
        const std::string folder = "/sys/fs/cgroup" + name;
        const double cached = KernelNumber(folder + "memory.stat", "inactive_file ");
        const double used =
            KernelNumber(folder + "memory.current") - (std::isfinite(cached) ? cached : 0.0);
        const double limit = KernelNumber(folder + "memory.max");
        bytes = std::isfinite(used) ? std::min(bytes, limit - used) : bytes;
    }
    return bytes;
}

double
RunNeed::MemoryBytes() const
{
    return SumOf(memory);
}

double
RunNeed::DiskBytes() const
{
    return SumOf(disk);
}

RunNeed
NeedOf(const RunOptions& settings, std::uint32_t ranks)
{
    // Resident memory before the first estimate. Memory that the estimates use is excluded.
    static const double loaded = 1024.0 * KernelNumber("/proc/self/status", "VmRSS:");
    const Sizes sizes = SizesOf(settings);
    // Hyper-parameters do not change the number of vectors, so they are not parsed here.
    const AlgorithmPreset preset = MakeAlgorithm(settings.algorithm, "");
    const auto nodes = static_cast<double>(settings.nodes);
    const auto rounds = static_cast<double>(settings.rounds);
    const double messages = nodes * ForecastDegree(settings.topology, settings.nodes);
    const double part = 1.0 / ranks;
    const double copies = settings.payloadBytes ? messages * sizes.parameters : 0.0;
    const double vectors = static_cast<double>(StateVectors(preset)) *
                           (VECTORS + static_cast<double>(preset.step->MemoryVectors()) +
                            (settings.average > 0.0 ? 1.0 : 0.0));
    RunNeed need;
    need.memory[NEED_OF_Q] = settings.measureQ ? BytesOfQ(settings, messages) : 0.0;
    need.memory["the examples (samples)"] = sizes.examples;
    need.memory["the nodes (nodes, model)"] =
        nodes * (NODE_BYTES + part * vectors * sizes.parameters);
    const double models = nodes * sizes.parameters;
    const bool isKept =
        settings.checkpoint.kind != CheckpointRule::Kind::NONE && models <= MOST_CHECKPOINT_BYTES;
    need.memory["a checkpoint (checkpoint)"] = isKept ? part * CHECKPOINT_COPIES * models : 0.0;
    need.memory["the values between the layers (model, workers)"] = sizes.values;
    need.memory["the messages of a round (topology)"] = part * (messages * MESSAGE_BYTES + copies);
    const bool isConstant =
        HasGeometricFactors(preset) && preset.clipDecay == 1.0 && preset.muGrowth == 1.0;
    need.memory["the rounds' schedules (rounds)"] =
        rounds * (ROUND_BYTES + (isConstant ? 0.0 : STEP_BYTES));
    // CUDA's libraries grow when the program ends, after the run's memory has been freed.
    const double others = std::max(0.0, loaded - LOADED_BYTES);
    need.memory["the program"] = PROGRAM_BYTES + (sizes.usesTorch ? TORCH_BYTES : 0.0) + others +
                                 std::max(0.0, LIBRARY_GROWTH * others - SumOf(need.memory));

    const double every = static_cast<double>(settings.snapshotEvery);
    const double snapshots = every > 0.0 ? 1.0 + rounds / every : 1.0;
    const bool isFull = settings.traceLevel != TraceLevel::SUMMARY;
    const bool hasNoise = settings.traceLevel == TraceLevel::NOISE && settings.noise;
    need.disk["an empty trace"] = TRACE_BYTES;
    need.disk["snapshots (nodes, model, snapshotEvery)"] = snapshots * nodes * sizes.parameters;
    need.disk["rows of nodes (nodes, rounds)"] = nodes * rounds * NODE_ROW_BYTES;
    need.disk["rows of messages (topology, rounds, traceLevel)"] =
        isFull ? messages * rounds * MESSAGE_ROW_BYTES : 0.0;
    need.disk["noise vectors (traceLevel)"] = hasNoise ? nodes * rounds * sizes.parameters : 0.0;
    for (auto& [what, bytes] : need.disk)
    {
        bytes *= part;
    }
    return need;
}

void
CheckNeed(const RunOptions& settings,
          const std::string& trace,
          std::uint32_t ranks,
          std::uint32_t here)
{
    RunNeed need = NeedOf(settings, ranks);
    for (auto* const parts : {&need.memory, &need.disk})
    {
        for (auto& [what, bytes] : *parts)
        {
            bytes *= what == NEED_OF_Q ? 1.0 : here;
        }
    }
    Refuse("memory", need.memory, MemoryAtHand());
    std::error_code error;
    const std::filesystem::path place = std::filesystem::path(".") / trace;
    const std::filesystem::path folder = std::filesystem::absolute(place, error).parent_path();
    const std::filesystem::space_info space = std::filesystem::space(folder, error);
    // A missing folder is not reported here, but when the trace is created. A run with a short
    // trace reports a full disk itself.
    if (!error && need.DiskBytes() > SHORT_TRACE_BYTES)
    {
        Refuse("disk", need.disk, static_cast<double>(space.available));
    }
}

} // namespace dpdl
