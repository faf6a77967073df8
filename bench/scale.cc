// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What a node costs in a round among 20, 200 and 2000: the computation alone, and a whole run in
 * message mode as a user starts it, with its peak memory. One worker, processor time. With 100,000
 * nodes: a run with losses and failures instead, and where the bytes of a node go.
 */

#include "harness/learn-run.h"
#include "harness/node-work.h"
#include "harness/run-bench.h"

#include <algorithm>
#include <array>
#include <map>

namespace
{

using namespace dpdl;

constexpr std::size_t BATCH = 16;
constexpr double MOST_RATIO = 1.3;
constexpr double MOST_MEBIBYTES = 24.0 * 1024.0;
constexpr std::uint64_t MANY = 10000;
/// From here on a run with losses and failures is measured, and nothing else.
constexpr std::uint64_t CROWD = 50000;
constexpr std::uint64_t FEW = 1000;
constexpr std::uint64_t CROWD_ROUNDS = 20;
constexpr double CROWD_RATIO = 1.5;
constexpr double CROWD_MEBIBYTES = 20e9 / (1024.0 * 1024.0);
constexpr double CROWD_SECONDS = 600.0;
/// Node-rounds of a run, which are long against what one run takes more than another to begin.
constexpr std::uint64_t NODE_ROUNDS = 8000;
constexpr std::uint64_t QUICK_NODE_ROUNDS = 400;
constexpr std::uint64_t LEAST_ROUNDS = 3;
/// Examples of the default dataset, and of a node as long as they last.
constexpr std::uint64_t EXAMPLES = 60000;
constexpr std::uint64_t OWN_EXAMPLES = 30;

std::vector<std::size_t>
Sizes(const BenchRequest& request)
{
    return request.quick ? std::vector<std::size_t>{20, 40}
                         : std::vector<std::size_t>{20, 200, 2000};
}

std::string
Title(const std::string& model, std::uint64_t nodes)
{
    return model + ", n = " + std::to_string(nodes) + ", batch 16: a node-round";
}

void
MeasureBackend(const BenchRequest& request, const std::string& model, BenchReport& report)
{
    InterleavedBenchmark benchmark(request.Rules(15.0));
    std::vector<std::unique_ptr<NodeWork>> works;
    for (const std::size_t nodes : Sizes(request))
    {
        works.push_back(std::make_unique<NodeWork>(
            NodeWork::Options{model, "auto", nodes, BATCH, 1, Clipping::EXAMPLE}));
        benchmark.Add([work = works.back().get()]() { work->Round(); });
    }
    benchmark.Run();
    const Measurement nothing({0.0});
    Measurement first;
    for (std::size_t i = 0; i < works.size(); ++i)
    {
        const std::size_t nodes = Sizes(request)[i];
        const Measurement seconds =
            Sum(nothing, benchmark.Seconds(i), 1.0 / static_cast<double>(nodes));
        BenchRow& row = report.AddRow(Title(model, nodes) + ", alone", Microseconds(), seconds);
        first = i == 0 ? seconds : first;
        if (i > 0)
        {
            row.AddVariant("n = 20", first, MOST_RATIO);
        }
    }
}

LearnFigures
Run(const std::string& model, std::uint64_t nodes, std::uint64_t rounds)
{
    // As many examples a node among few as among many: drawing a batch looks at each of them.
    const std::uint64_t own = std::min(OWN_EXAMPLES, EXAMPLES / nodes);
    const std::uint64_t batch = std::min<std::uint64_t>(BATCH, std::max<std::uint64_t>(own / 2, 1));
    return RunLearn({"--network=message",
                     "--model=" + model,
                     "--nodes=" + std::to_string(nodes),
                     "--samples=" + std::to_string(own * nodes),
                     "--batchSize=" + std::to_string(batch),
                     "--workers=1"},
                    rounds);
}

/// What runs with one number of nodes gave.
struct Runs
{
    Measurement seconds;   ///< of a node-round
    Measurement mebibytes; ///< of the process at its largest
};

void
MeasureRuns(const BenchRequest& request, const std::string& model, BenchReport& report)
{
    std::vector<std::uint64_t> sizes;
    for (const std::size_t nodes : Sizes(request))
    {
        sizes.push_back(nodes);
    }
    sizes.insert(sizes.end(), request.nodes.begin(), request.nodes.end());
    std::map<std::uint64_t, Runs> runs;
    for (std::size_t repeat = 0; repeat < std::min<std::size_t>(request.repeats, 3); ++repeat)
    {
        for (const std::uint64_t nodes : sizes)
        {
            const std::uint64_t wanted = request.quick ? QUICK_NODE_ROUNDS : NODE_ROUNDS;
            const std::uint64_t rounds = std::max(LEAST_ROUNDS, wanted / nodes);
            const LearnFigures figures = Run(model, nodes, rounds);
            runs[nodes].seconds.Add(figures.processor / static_cast<double>(nodes * rounds));
            runs[nodes].mebibytes.Add(figures.peakMebibytes);
        }
    }
    for (const auto& [nodes, run] : runs)
    {
        BenchRow& row = report.AddRow(Title(model, nodes) + " of a run in message mode",
                                      Microseconds(),
                                      run.seconds);
        if (nodes != sizes.front())
        {
            row.AddVariant("n = 20", runs[sizes.front()].seconds, MOST_RATIO);
        }
        report.AddFigure("  its peak memory",
                         "MiB",
                         run.mebibytes,
                         nodes >= MANY ? AtMost(MOST_MEBIBYTES) : std::nullopt);
    }
}

std::vector<std::string>
With(std::vector<std::string> options, const std::vector<std::string>& more)
{
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

/// Options of a run of softmax regression in which a share of the messages is lost, half of the
/// nodes cannot reach the others for a while, and one node in a hundred crashes and comes back.
std::vector<std::string>
CrowdOptions(std::uint64_t nodes)
{
    return {"--network=message",
            "--dataset=blobs",
            "--model=softmax-regression",
            "--nodes=" + std::to_string(nodes),
            "--samples=" + std::to_string(2 * nodes),
            "--batchSize=1",
            "--topology=out-degree:4",
            "--drop=0.05"};
}

/// Half of the nodes cannot reach the others for a while; one in a hundred crashes and comes back.
std::vector<std::string>
CrowdFailures(std::uint64_t nodes)
{
    const std::string half = std::to_string(nodes / 2);
    const std::string last = std::to_string(nodes - 1);
    const std::string crashing = std::to_string(nodes / 100 - 1);
    return {"--fail=partition {0-" + std::to_string(nodes / 2 - 1) + "} {" + half + "-" + last +
                "} at 100ms for 200ms",
            "--fail=node {0-" + crashing + "} crash at 150ms recover 400ms"};
}

void
MeasureCrowd(std::uint64_t nodes, BenchReport& report)
{
    const std::string title = "softmax-regression, n = " + std::to_string(nodes) +
                              ", out-degree:4, 5 % loss, partition, crashes: ";
    std::map<std::uint64_t, Measurement> seconds;
    for (const std::uint64_t size : {FEW, nodes})
    {
        const LearnFigures few = RunLearnOnce(CrowdOptions(size), 2);
        const LearnFigures figures =
            RunLearnOnce(With(CrowdOptions(size), CrowdFailures(size)), CROWD_ROUNDS);
        seconds[size].Add((figures.processor - few.processor) /
                          static_cast<double>(size * (CROWD_ROUNDS - 2)));
        if (size == nodes)
        {
            report.AddFigure(title + "wall time of 20 rounds",
                             "s",
                             Measurement({figures.wall}),
                             AtMost(CROWD_SECONDS));
            report.AddFigure("  its peak memory",
                             "MiB",
                             Measurement({figures.peakMebibytes}),
                             AtMost(CROWD_MEBIBYTES));
            report.AddFigure("  its trace", "MiB", Measurement({figures.traceMebibytes}));
        }
    }
    report.AddRow(title + "a node-round", Microseconds(), seconds[nodes])
        .AddVariant("n = 1000", seconds[FEW], CROWD_RATIO);
}

/// What runs take more for each of more nodes.
struct NodeBytes
{
    double memory{0.0}; ///< bytes at the peak
    double trace{0.0};  ///< bytes on the disk
};

/// @param changes options of the runs, apart from their sizes
NodeBytes
BytesOfNode(std::uint64_t nodes, const std::vector<std::string>& changes)
{
    constexpr std::size_t rounds = 6;
    constexpr double mebibyte = 1024.0 * 1024.0;
    std::array<LearnFigures, 2> figures;
    const std::array<std::uint64_t, 2> sizes{nodes / 2, nodes};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        // The examples of the larger one, whose bytes are not a node's.
        figures[i] = RunLearnOnce(With({"--network=message",
                                        "--nodes=" + std::to_string(sizes[i]),
                                        "--samples=" + std::to_string(2 * nodes),
                                        "--batchSize=1"},
                                       changes),
                                  rounds);
    }
    const double more = static_cast<double>(sizes[1] - sizes[0]) / mebibyte;
    return {(figures[1].peakMebibytes - figures[0].peakMebibytes) / more,
            (figures[1].traceMebibytes - figures[0].traceMebibytes) / more};
}

/// Where the bytes of a node go: what runs take more that have one thing more each.
void
MeasureBytes(std::uint64_t nodes, BenchReport& report)
{
    const std::vector<std::string> usual{"--dataset=blobs", "--model=softmax-regression"};
    const std::string brief = "--traceLevel=summary";
    const NodeBytes model = BytesOfNode(nodes, With(usual, {brief, "--topology=none"}));
    const NodeBytes shares = BytesOfNode(nodes, With(usual, {brief, "--topology=out-degree:4"}));
    const NodeBytes rows = BytesOfNode(nodes, With(usual, {"--topology=out-degree:4"}));
    const auto add = [&report](const std::string& what, double bytes) {
        report.AddFigure("  of a node: " + what, "B", Measurement({bytes}));
    };
    add("state, objects and indices, without edges", model.memory);
    add("shares in flight, edges and the rounds of q", shares.memory - model.memory);
    add("rows of messages until they are written", rows.memory - shares.memory);
    add("on the disk, trace level summary", shares.trace);
    add("on the disk, rows of the messages of 6 rounds", rows.trace - shares.trace);
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    if (!request.nodes.empty() && request.nodes.back() >= CROWD && HasLearn())
    {
        MeasureCrowd(request.nodes.back(), report);
        MeasureBytes(request.nodes.back() / 10, report);
        return;
    }
    const std::vector<std::string> wanted = !request.models.empty() ? request.models
                                            : request.quick
                                                ? std::vector<std::string>{"mlp"}
                                                : std::vector<std::string>{"mlp", "cnn-s"};
    for (const std::string& model : wanted)
    {
        MeasureBackend(request, model, report);
        if (HasLearn())
        {
            MeasureRuns(request, model, report);
        }
    }
    if (!HasLearn())
    {
        report.AddNote("no runs in message mode: scenario learn is not built");
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"scale",
                     "What a node costs in a round among 20, 200 and 2000, and the memory of a "
                     "run; --nodes=10000 --model=mlp adds a large one, --nodes=100000 measures one "
                     "with losses and failures alone.",
                     {"model", "nodes"},
                     Measure},
                    {argv + 1, argv + argc});
}
