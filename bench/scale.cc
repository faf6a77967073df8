// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What a node costs in a round among 20, 200 and 2000: the computation alone, and a whole run in
 * message mode as a user starts it, with its peak memory. One worker, processor time.
 */

#include "harness/learn-run.h"
#include "harness/node-work.h"
#include "harness/run-bench.h"

#include <algorithm>
#include <map>

namespace
{

using namespace dpdl;

constexpr std::size_t BATCH = 16;
constexpr double MOST_RATIO = 1.3;
constexpr double MOST_MEBIBYTES = 24.0 * 1024.0;
constexpr std::uint64_t MANY = 10000;
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
    if (request.nodes > 0)
    {
        sizes.push_back(request.nodes);
    }
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

void
Measure(const BenchRequest& request, BenchReport& report)
{
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
                     "run; --nodes=10000 --model=mlp adds a large one.",
                     {"model", "nodes"},
                     Measure},
                    {argv + 1, argv + argc});
}
