// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * @brief What q costs: processor time of a round, designed and realised together, as a run pays it.
 *        Compare it with a node-round of `./dpdl bench scale`.
 *
 * One thread, processor time.
 */

#include "dpdl/base/quantity.h"
#include "dpdl/base/random.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/topology/topologies.h"
#include "harness/run-bench.h"

#include <algorithm>
#include <memory>

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

/// A topology whose windows are timed.
struct Case
{
    std::string topology;     ///< as option `topology` has it
    Round rounds;             ///< at least 200, so that those count in which influences are folded
    double loss;              ///< of a share
    std::size_t nodes{NODES}; ///< n
};

const std::vector<Case> CASES{
    {"exponential", 200, 0.0},
    {"exponential", 200, 0.1},
    {"out-degree:10", 200, 0.0},
    {"out-degree:10", 200, 0.1},
    {"random:0.01", 200, 0.0},
    {"random:0.01", 200, 0.1},
    {"small-world:10,0.1", 200, 0.1},
    {"complete", 2, 0.1}, // a round has a million shares
    // Without matrices.
    {"exponential", 28, 0.05, 10'000},
    {"out-degree:4", 20, 0.05, 10'000},
    {"exponential", 34, 0.05, 100'000},
    {"out-degree:4", 20, 0.05, 100'000},
};

/// Designed and realised q of all rounds, window by window.
void
MeasureWindows(const std::shared_ptr<const GraphSequence>& sequence, Round rounds, double loss)
{
    const GraphSequence& graph = *sequence;
    const bool isLarge = graph.Nodes() > NODES;
    const Round window = graph.Period() > (isLarge ? 1 : 0) ? graph.Period() : WINDOW_OF_RANDOM;
    DesignedContraction designed(sequence);
    ContractionTracker realised(graph.Nodes());
    for (Round round = 0; round < rounds;)
    {
        for (Round k = 0; k < window; ++k)
        {
            auto mixed = DesignedShares(graph, round, realised.Weights());
            Lose(mixed, round, loss);
            realised.AddRound(round++, mixed);
            designed.AddRound();
        }
        designed.CloseWindow();
        realised.CloseWindow();
        if (graph.Period() == 0)
        {
            ComputeWindowBound(graph, round - window, window);
        }
    }
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    for (const Case& which : CASES)
    {
        const std::string what = which.topology + ", " + ShowNumber(100.0 * which.loss) +
                                 " % lost, " + std::to_string(which.nodes) + " nodes: a round";
        if (!request.Fits(what) ||
            (request.quick && (which.topology != "exponential" || which.nodes > NODES)))
        {
            continue;
        }
        const auto graph = MakeGraphSequence(which.topology, which.nodes, {});
        const Round rounds = request.quick ? graph->Period() : which.rounds;
        InterleavedBenchmark benchmark(request.Rules(10.0));
        benchmark.Add([&]() { MeasureWindows(graph, rounds, which.loss); });
        benchmark.Run();
        report.AddRow(what,
                      Milliseconds(),
                      Sum(Measurement({0.0}), benchmark.Seconds(0), 1.0 / rounds));
    }
    for (const std::string topology : {"exponential", "ring"})
    {
        const std::string what = topology + ": the bound";
        if (request.Fits(what))
        {
            const auto graph = MakeGraphSequence(topology, NODES, {});
            InterleavedBenchmark benchmark(request.Rules(4.0));
            benchmark.Add([&graph]() { ComputeTopologyBound(*graph); });
            benchmark.Run();
            report.AddRow(what, Milliseconds(), benchmark.Seconds(0));
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"topology", "What q costs a round.", {"filter"}, Measure},
                    {argv + 1, argv + argc});
}
