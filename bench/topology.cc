// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * @brief What q costs: processor time of a round with 1000 nodes, designed and realised together,
 *        as a run with `--measureQ` pays it. Compare it with a node-round of `./dpdl bench scale`.
 *
 * Each iteration is a window. The argument is the loss in percent; counter `round` is the time of
 * one round.
 */

#include "dpdl/base/random.h"
#include "dpdl/topology/designed-contraction.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/topology/topologies.h"
#include "harness/google-bench.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <string>

namespace
{

using namespace dpdl;

constexpr std::size_t NODES = 1000;
constexpr Round WINDOW_OF_RANDOM = 10;

/// Takes away each share but a node's own with probability @p loss.
void
Lose(std::vector<std::vector<MixedShare>>& mixed, Round round, double loss)
{
    for (NodeId node = 0; node < mixed.size(); ++node)
    {
        const RandomStream random({1, 1}, RandomPurpose::LINK_LOSS, node, round);
        std::vector<MixedShare>& shares = mixed[node];
        shares.erase(std::remove_if(shares.begin(),
                                    shares.end(),
                                    [&](const MixedShare& share) {
                                        return share.source != node &&
                                               random.Uniform(share.source) < loss;
                                    }),
                     shares.end());
    }
}

void
Windows(benchmark::State& state, const std::string& topology)
{
    const auto graph = MakeGraphSequence(topology, NODES, {});
    const Round window = graph->Period() > 0 ? graph->Period() : WINDOW_OF_RANDOM;
    const double loss = static_cast<double>(state.range(0)) / 100.0;
    DesignedContraction designed(graph);
    ContractionTracker realised(NODES);
    Round round = 0;
    for (auto _ : state)
    {
        for (Round k = 0; k < window; ++k)
        {
            auto mixed = DesignedShares(*graph, round, realised.Weights());
            Lose(mixed, round, loss);
            realised.AddRound(round++, mixed);
            designed.AddRound();
        }
        benchmark::DoNotOptimize(designed.CloseWindow());
        benchmark::DoNotOptimize(realised.CloseWindow());
        if (graph->Period() == 0)
        {
            benchmark::DoNotOptimize(ComputeWindowBound(*graph, round - window, window));
        }
    }
    state.counters["round"] =
        benchmark::Counter(static_cast<double>(round),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void
Bound(benchmark::State& state, const std::string& topology)
{
    const auto graph = MakeGraphSequence(topology, NODES, {});
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(ComputeTopologyBound(*graph));
    }
}

} // namespace

// At least 200 rounds, so that those count in which influences are folded; fewer of the complete
// graph, whose rounds have a million shares.
BENCHMARK_CAPTURE(Windows, exponential, "exponential")
    ->Arg(0)
    ->Arg(10)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Windows, outDegree10, "out-degree:10")
    ->Arg(0)
    ->Arg(10)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Windows, random, "random:0.01")
    ->Arg(0)
    ->Arg(10)
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Windows, smallWorld, "small-world:10,0.1")
    ->Arg(10)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Windows, complete, "complete")
    ->Arg(10)
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Bound, exponential, "exponential")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Bound, ring, "ring")->Unit(benchmark::kMillisecond);

int
main(int argc, char* argv[])
{
    return dpdl::RunGoogleBench("topology",
                                "What q costs a round of 1000 nodes.",
                                {argv + 1, argv + argc});
}
