// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The CUDA device: a step of all nodes against its floors and against other libraries on the same
 * device, a round against the processor, and whether both compute the same. Wall-clock time, since
 * the host waits.
 */

#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/training/cuda-device.h"
#include "harness/device-timing.h"
#include "harness/node-work.h"
#include "harness/plain-torch.h"
#include "harness/python-peers.h"
#include "harness/run-bench.h"
#include "harness/temporary-file.h"

#include <algorithm>
#include <iostream>
#include <thread>

namespace
{

using namespace dpdl;

#ifdef DPDL_CUDA_ARCHITECTURES
constexpr const char* COMPILED = "Kernels compiled for sm_" DPDL_CUDA_ARCHITECTURES ", ";
#else
constexpr const char* COMPILED = "Kernels ";
#endif

/// Rounds after which device and processor still have to agree, and how well. With longer steps the
/// last bits of two computations of the same on a processor grow to 1e-2 in as many rounds.
constexpr std::size_t ROUNDS = 50;
constexpr double AGREEMENT = 1e-3;
constexpr double STEP_SIZE = 0.01;
/// Times as fast as one node after the other in Opacus.
constexpr double OPACUS_GOAL = 15.0;
/// Seconds that one comparison of contestants may take.
constexpr double BUDGET = 5.0;

/// A network and what is asked of it.
struct Case
{
    std::string model; ///< a name of `list models`
    std::size_t batch; ///< examples of a node
    double goal;       ///< largest time of a step of 20 nodes on an H200, in ms
};

const std::vector<Case> CHAINS{{"mlp", 64, 0.15}, {"cnn-s", 64, 0.4}, {"cnn-m", 64, 3.5}};
/// LibTorch's alone.
const Case RESNET{"resnet-18", 16, 300.0};
constexpr std::size_t NODES = 20;

/// What a round was measured to take.
struct RoundTime
{
    double operations; ///< of all nodes
    double device;     ///< seconds on the device
    double processor;  ///< seconds on all cores
};

std::string
Title(const std::string& what, const Case& which, std::size_t nodes)
{
    return what + " of " + std::to_string(nodes) + " nodes, " + which.model + ", batch " +
           std::to_string(which.batch);
}

Measurement
Times(const Measurement& seconds, std::size_t nodes)
{
    return Sum(Measurement({0.0}), seconds, static_cast<double>(nodes));
}

/// Steps of all nodes by LibTorch on the device, one node after the other; empty if it has none.
Measurement
TimeTorch(const Case& which, std::size_t nodes, const BenchRequest& request, BenchReport& report)
{
    try
    {
        NodeWork::Options options{which.model, "libtorch", nodes, which.batch, 1};
        options.device = "cuda";
        NodeWork work(options);
        InterleavedBenchmark benchmark(request.Rules(BUDGET, TimeOf::WALL));
        benchmark.Add([&work] { work.Step(); });
        benchmark.Run();
        return benchmark.Seconds(0);
    }
    catch (const Error& error)
    {
        report.AddNote(which.model + ", LibTorch on the device: " + error.what());
        return {};
    }
}

/// LibTorch's plain loop on the device, one node.
Measurement
TimePlainTorch(const Case& which, const BenchRequest& request)
{
    PlainTorchStep step(which.model, which.batch, "cuda");
    InterleavedBenchmark benchmark(request.Rules(BUDGET, TimeOf::WALL));
    benchmark.Add([&step] { step.Run(); });
    benchmark.Run();
    return benchmark.Seconds(0);
}

void
AddPythonPeers(const Case& which,
               std::size_t nodes,
               const BenchRequest& request,
               BenchReport& report,
               BenchRow& row)
{
    const PythonPeers python(request.quick && request.python.empty() ? "off" : request.python);
    for (const PeerResult& peer :
         python.Run("step_peers.py",
                    {"--device=cuda",
                     "--model=" + which.model,
                     "--batch=" + std::to_string(which.batch),
                     "--nodes=" + std::to_string(nodes),
                     "--repeats=" + std::to_string(request.repeats),
                     "--parameters=" + std::to_string(BenchModel(which.model).ParameterCount())}))
    {
        if (!peer.trouble.empty())
        {
            report.AddNote(which.model + ", " + peer.name + ": " + peer.trouble);
            continue;
        }
        const bool isGoal = peer.name.rfind("Opacus, hooks", 0) == 0 && which.model == "cnn-s";
        const bool isMapped = peer.name.find("nodes in one map") != std::string::npos;
        row.AddPeer(peer.name + (peer.isPrivate ? "" : ", not private") +
                        (isMapped ? "" : ", node after node"),
                    Times(peer.seconds, nodes),
                    isGoal ? OPACUS_GOAL : 0.0);
    }
}

/// The others on the device: at one number of nodes.
void
AddPeers(const Case& which,
         std::size_t nodes,
         const BenchRequest& request,
         BenchReport& report,
         BenchRow& row)
{
    if (PlainTorchStep::HasCuda())
    {
        row.AddPeer("LibTorch, plain SGD, not private, node after node",
                    Times(TimePlainTorch(which, request), nodes));
    }
    AddPythonPeers(which, nodes, request, report, row);
}

void
MeasureStep(const Case& which, std::size_t nodes, const BenchRequest& request, BenchReport& report)
{
    const auto images = MakeRandomImages(request.quick ? 256 : 4096, BenchImage(which.model));
    DeviceLoad load;
    load.nodes = nodes;
    load.batchSize = which.batch;
    load.repeats = request.repeats;
    const DeviceTiming timing = TimeCudaDevice(BenchModel(which.model), *images, load);
    report.SetDevice(timing.device);
    report.AddNote(which.model + " on " + timing.device + ": " +
                   std::to_string(timing.nodesAtOnce) + " of " + std::to_string(nodes) +
                   " nodes compute at a time");
    BenchRow& row = report.AddRow(Title("step", which, nodes),
                                  Milliseconds(),
                                  Measurement({timing.stepSeconds}));
    row.goal = nodes == NODES ? std::optional(AtMost(which.goal)) : std::nullopt;
    row.AddFloor("cuBLAS: its products alone", Measurement({timing.productSeconds}));
    if (nodes == (request.nodes.empty() ? NODES : request.nodes.front()))
    {
        const Measurement torch = TimeTorch(which, nodes, request, report);
        if (!torch.Values().empty())
        {
            row.AddPeer("LibTorch on the device, a batch in one pass", torch);
        }
        AddPeers(which, nodes, request, report, row);
    }
    const std::string of = Title("", which, nodes);
    report.AddFigure("copy on the device" + of, "GB/s", Measurement({timing.copyBandwidth / 1e9}));
    report.AddFigure("update, part of the copy's bandwidth" + of,
                     "",
                     Measurement({timing.updateBandwidth / timing.copyBandwidth}),
                     AtLeast(0.8));
    report.AddFigure("mixing, part of the copy's bandwidth" + of,
                     "",
                     Measurement({timing.mixBandwidth / timing.copyBandwidth}),
                     AtLeast(0.7));
}

/// The same rounds on the device and on all cores, as a run computes them.
RoundTime
MeasureRound(const Case& which, std::size_t nodes, const BenchRequest& request, BenchReport& report)
{
    NodeWork::Options options{which.model, "auto", nodes, which.batch, 0};
    NodeWork processor(options);
    options.device = "cuda";
    NodeWork device(options);
    InterleavedBenchmark benchmark(request.Rules(BUDGET, TimeOf::WALL));
    benchmark.Add([&device] { device.Round(); });
    benchmark.Add([&processor] { processor.Round(); });
    benchmark.Run();
    report.AddRow(Title("round", which, nodes), Milliseconds(), benchmark.Seconds(0))
        .AddPeer("the processor, " + std::to_string(std::thread::hardware_concurrency()) +
                     " threads",
                 benchmark.Seconds(1));
    return {static_cast<double>(nodes * which.batch) * TrainingFlops(BenchModel(which.model)),
            benchmark.Seconds(0).Median(),
            benchmark.Seconds(1).Median()};
}

/// How far the nodes' states are apart after rounds with the same noise, at most.
double
DistanceOfStates(const Case& which)
{
    NodeWork::Options options{which.model, "auto", NODES, which.batch, 0};
    options.stepSize = STEP_SIZE;
    NodeWork processor(options);
    options.device = "cuda";
    NodeWork device(options);
    for (std::size_t round = 0; round < ROUNDS; ++round)
    {
        processor.Round();
        device.Round();
    }
    double largest = 0.0;
    for (std::size_t node = 0; node < NODES; ++node)
    {
        largest = std::max(largest, RelativeDistance(device.State(node), processor.State(node)));
    }
    return largest;
}

/// The same for what `learn` computes over a perfect network. Without noise, since sums in float32
/// have a larger sensitivity and so more noise.
double
DistanceOfRuns(const Case& which)
{
    RunOptions options;
    options.dataset = "blobs";
    options.algorithm = "dyn-d2p";
    options.stepSize = STEP_SIZE;
    options.noise = false;
    options.model = which.model;
    options.nodes = NODES;
    options.samples = NODES * which.batch * 2;
    options.testSamples = 200;
    options.rounds = ROUNDS;
    options.network = NetworkKind::IDEAL;
    options.progress = false;
    const TemporaryFile processorTrace("cpu.db");
    const TemporaryFile deviceTrace("cuda.db");
    options.trace = processorTrace.Path();
    options.device = "cpu";
    Experiment processor(options, {});
    LockstepRun(processor);
    options.trace = deviceTrace.Path();
    options.device = "cuda";
    Experiment device(options, {});
    LockstepRun(device);
    double largest = 0.0;
    for (NodeId node = 0; node < NODES; ++node)
    {
        largest = std::max(largest,
                           RelativeDistance(*device.At(node).State(), *processor.At(node).State()));
    }
    return largest;
}

void
MeasureAgreement(const Case& which, BenchReport& report)
{
    const std::string after = " after " + std::to_string(ROUNDS) + " rounds, " + which.model;
    report.AddFigure("distance of the states, same noise" + after,
                     "",
                     Measurement({DistanceOfStates(which)}),
                     AtMost(AGREEMENT));
    report.AddFigure("distance of the states of two runs" + after,
                     "",
                     Measurement({DistanceOfRuns(which)}),
                     AtMost(AGREEMENT));
}

/// From how many operations of a round on the device was faster, in all cases with as many.
void
ReportThreshold(std::vector<RoundTime> times, BenchReport& report)
{
    std::sort(times.begin(), times.end(), [](const RoundTime& a, const RoundTime& b) {
        return a.operations > b.operations;
    });
    const auto slower = std::find_if(times.begin(), times.end(), [](const RoundTime& time) {
        return time.device >= time.processor;
    });
    if (slower == times.begin())
    {
        report.AddNote("The largest round is not faster on the device: it does not pay off.");
        return;
    }
    report.AddFigure("a round is faster on the device from",
                     "operations",
                     Measurement({(slower - 1)->operations}));
}

void
MeasureResNet(const BenchRequest& request, BenchReport& report)
{
    const Measurement seconds = TimeTorch(RESNET, NODES, request, report);
    if (seconds.Values().empty())
    {
        return;
    }
    BenchRow& row = report.AddRow(Title("step", RESNET, NODES), Milliseconds(), seconds);
    row.goal = AtMost(RESNET.goal);
    AddPeers(RESNET, NODES, request, report, row);
}

/// One case that fails, for want of memory for example, does not lose the others.
template <typename Work>
void
NoteErrors(const std::string& what, BenchReport& report, const Work& work)
{
    try
    {
        work();
    }
    catch (const Error& error)
    {
        report.AddNote(what + ": " + error.what());
    }
}

void
MeasureDevice(const BenchRequest& request, BenchReport& report)
{
    request.CheckModels({"mlp", "cnn-s", "cnn-m", RESNET.model});
    const std::string reason = WhyNoCudaDevice();
    if (!reason.empty())
    {
        report.AddNote(std::string(COMPILED) + "not run: " + reason + ".");
        return;
    }
    const std::vector<std::uint64_t> sizes =
        request.nodes.empty() ? std::vector<std::uint64_t>{NODES} : request.nodes;
    std::vector<RoundTime> times;
    for (const Case& which : CHAINS)
    {
        if (!request.Wants(which.model))
        {
            continue;
        }
        std::cerr << "bench device: " << which.model << std::endl;
        for (const std::uint64_t nodes : sizes)
        {
            NoteErrors(Title("step and round", which, nodes), report, [&] {
                MeasureStep(which, nodes, request, report);
                times.push_back(MeasureRound(which, nodes, request, report));
            });
        }
        NoteErrors(which.model, report, [&] { MeasureAgreement(which, report); });
    }
    if (!times.empty())
    {
        ReportThreshold(times, report);
    }
    if (request.Wants(RESNET.model))
    {
        std::cerr << "bench device: " << RESNET.model << std::endl;
        MeasureResNet(request, report);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"device",
                     "Steps and rounds on a CUDA device, against its floors, other libraries and "
                     "the processor.",
                     {"model", "nodes", "python"},
                     MeasureDevice},
                    {argv + 1, argv + argc});
}
