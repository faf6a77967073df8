// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * A round of twenty nodes: each mixes two models and takes a private step. Real time, with one
 * worker and with one for each core, which have to give the same bits. Then a whole run in message
 * mode: what share of it is neither gradient nor noise.
 */

#include "harness/gemm.h"
#include "harness/learn-run.h"
#include "harness/node-work.h"
#include "harness/run-bench.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace
{

using namespace dpdl;

constexpr std::size_t NODES = 20;
constexpr std::size_t BATCH = 64;
constexpr std::size_t SAME_ROUNDS = 3;
constexpr double MOST_PERCENT = 2.0;

NodeWork::Options
OptionsFor(const std::string& model, unsigned workers)
{
    return {model, "auto", NODES, BATCH, workers, Clipping::EXAMPLE};
}

/// Parameters whose bits differ after some rounds with one and with many workers.
double
DifferentBits(const std::string& model, unsigned workers)
{
    NodeWork one(OptionsFor(model, 1));
    NodeWork many(OptionsFor(model, workers));
    for (std::size_t round = 0; round < SAME_ROUNDS; ++round)
    {
        one.Round();
        many.Round();
    }
    double different = 0.0;
    for (std::size_t node = 0; node < NODES; ++node)
    {
        const ParameterVector& a = one.State(node);
        const ParameterVector& b = many.State(node);
        for (std::size_t i = 0; i < a.Size(); ++i)
        {
            different += std::memcmp(a.Data() + i, b.Data() + i, sizeof(float)) == 0 ? 0.0 : 1.0;
        }
    }
    return different;
}

/// One model's rounds.
void
MeasureRounds(const BenchRequest& request, const std::string& model, BenchReport& report)
{
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    NodeWork one(OptionsFor(model, 1));
    NodeWork many(OptionsFor(model, cores));
    GemmWork peak({PeakGemm()});
    std::vector<float> normals(one.Backend().Model().ParameterCount());
    InterleavedBenchmark benchmark(request.Rules(10.0, TimeOf::WALL));
    benchmark.Add([&one]() { one.Round(); });
    benchmark.Add([&many]() { many.Round(); });
    benchmark.Add([&peak]() { peak.Run(); });
    benchmark.Add([&normals]() {
        RandomStream({1, 1}, RandomPurpose::TEST, 0, 0).FillNormal(normals.data(), normals.size());
    });
    benchmark.Run();
    const double flop = TotalFlop(GradientGemms(one.Backend().Model(), BATCH));
    const Measurement nothing({0.0});
    const Measurement floor = Sum(Sum(nothing, benchmark.Seconds(3), NODES),
                                  benchmark.Seconds(2),
                                  NODES * flop / PeakGemm().Flop());
    const std::string what = model + ", a round of 20 nodes, batch 64";
    BenchRow& row = report.AddRow(what + ", 1 worker", Milliseconds(), benchmark.Seconds(0));
    if (flop > 0.0)
    {
        row.AddFloor("floor: products at the rate of 1024^3, noise", floor);
    }
    report.AddFigure("  of the workers' time in mixing",
                     "%",
                     Measurement({100.0 * one.Backend().Work().mixing}));
    if (cores == 1)
    {
        report.AddNote("one core: no second worker");
        return;
    }
    const std::string workers = std::to_string(cores) + " workers";
    BenchRow& both = report.AddRow(what + ", " + workers, Milliseconds(), benchmark.Seconds(1));
    if (flop > 0.0)
    {
        both.AddFloor("floor: the same on as many cores", Sum(nothing, floor, 1.0 / cores));
    }
    both.AddPeer("1 worker", benchmark.Seconds(0), cores == 2 ? (model == "mlp" ? 1.5 : 1.7) : 0.0);
    report.AddFigure("  parameters whose bits differ from 1 worker's",
                     "",
                     Measurement({DifferentBits(model, cores)}),
                     AtMost(0.0));
}

/// What of a run in message mode is neither gradient nor noise.
void
MeasureRun(const BenchRequest& request, const std::string& model, BenchReport& report)
{
    Measurement others;
    Measurement mixing;
    Measurement simulator;
    Measurement trace;
    Measurement privacy;
    const std::size_t rounds = request.quick ? 5 : 40;
    const std::vector<std::string> arguments{"--network=message",
                                             "--model=" + model,
                                             "--nodes=" + std::to_string(NODES),
                                             "--batchSize=" + std::to_string(BATCH),
                                             "--workers=1"};
    for (std::size_t repeat = 0; repeat < std::min<std::size_t>(request.repeats, 5); ++repeat)
    {
        const LearnFigures figures = RunLearn(arguments, rounds);
        const double percent = 100.0 / figures.rounds;
        others.Add(percent * (figures.mixing + figures.simulator + figures.trace));
        mixing.Add(percent * figures.mixing);
        simulator.Add(percent * figures.simulator);
        trace.Add(percent * figures.trace);
        privacy.Add(percent * figures.privacy);
    }
    report.AddFigure(model + ", run in message mode: share of simulator, mixing and trace",
                     "%",
                     others,
                     AtMost(MOST_PERCENT));
    report.AddFigure("  simulator", "%", simulator);
    report.AddFigure("  mixing", "%", mixing);
    report.AddFigure("  trace", "%", trace);
    report.AddFigure("  accounting, not counted above", "%", privacy);
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    const std::vector<std::string> wanted =
        request.models.empty() ? std::vector<std::string>{request.quick ? "mlp" : "cnn-s"}
                               : request.models;
    for (const std::string& model : wanted)
    {
        MeasureRounds(request, model, report);
        if (HasLearn())
        {
            MeasureRun(request, model, report);
        }
        else
        {
            report.AddNote("no run in message mode: scenario learn is not built");
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"round",
                     "A round of 20 nodes with one worker and with all, and what a run costs "
                     "beside its steps.",
                     {"model"},
                     Measure},
                    {argv + 1, argv + argc});
}
