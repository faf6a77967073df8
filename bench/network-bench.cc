// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What a message costs on its way through application, transport, learner, mixing and trace, with
 * training switched off: 1000 nodes on a graph of out-degree 3, 26,010 parameters, message mode,
 * a row in the trace for every message.
 */

#include "ns3/dpdl-helper.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <unistd.h>

namespace
{

constexpr int NODES = 1000;
constexpr int ROUNDS = 100;

dpdl::RunSettings
MakeSettings(bool measureQ, const std::string& trace)
{
    dpdl::RunSettings settings;
    settings.algorithm = "sgp";
    settings.topology = "out-degree:3";
    settings.rounds = ROUNDS;
    settings.samples = NODES;
    settings.testSamples = 1;
    settings.batchSize = 1;
    settings.evaluateEvery = 0;
    settings.train = false;
    settings.measureQ = measureQ;
    settings.workers = 1;
    settings.trace = trace;
    settings.overwrite = true;
    return settings;
}

/// Counts messages for each second of processor time; building and closing the run are not counted.
void
Messages(benchmark::State& state, bool measureQ)
{
    const std::string trace = std::filesystem::temp_directory_path() /
                              ("dpdl-network-bench-" + std::to_string(getpid()) + ".db");
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
    std::int64_t messages = 0;
    for (auto _ : state)
    {
        state.PauseTiming();
        ns3::DpdlHelper helper(MakeSettings(measureQ, trace));
        ns3::NodeContainer nodes;
        nodes.Create(NODES);
        helper.Install(nodes);
        state.ResumeTiming();
        ns3::Simulator::Run();
        state.PauseTiming();
        messages += static_cast<std::int64_t>(2) * NODES * ROUNDS;
        helper.Finish();
        ns3::Simulator::Destroy();
        state.ResumeTiming();
    }
    std::filesystem::remove(trace);
    state.SetItemsProcessed(messages);
}

BENCHMARK_CAPTURE(Messages, withoutQ, false)
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Messages, withQ, true)
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
