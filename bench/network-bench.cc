// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What a message costs, with training switched off. Everything is processor time.
 *
 * BareEvent: an empty ns-3 event, with as many waiting as messages are under way in Channel, and at
 * the same times.
 * Channel: the transport alone, from Send() to the callback at the arrival.
 * Messages: the whole way through application, transport, learner, mixing and trace, a row for
 * every message.
 * Mixing: the arithmetic on the models alone that such a run contains.
 * SetUp: DpdlHelper::Install() for 1000 nodes and 9000 links, without reading the dataset.
 * DeliveryRows: 1000 rows of view `delivery` through the trace's writer.
 */

#include "dpdl/data/dataset.h"
#include "dpdl/trace/trace-store.h"
#include "dpdl/training/gossip.h"

#include "ns3/dpdl-helper.h"
#include "ns3/dpdl-message-transport.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <benchmark/benchmark.h>
#include <ctime>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace
{

double
CpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string
TracePath()
{
    return std::filesystem::temp_directory_path() /
           ("dpdl-network-bench-" + std::to_string(getpid()) + ".db");
}

dpdl::RunSettings
MakeSettings(std::int64_t nodes, std::int64_t outDegree, dpdl::Round rounds, bool measureQ)
{
    dpdl::RunSettings settings;
    settings.algorithm = "sgp";
    settings.topology = "out-degree:" + std::to_string(outDegree);
    settings.nodes = static_cast<std::size_t>(nodes);
    settings.rounds = rounds;
    settings.samples = settings.nodes;
    settings.testSamples = 1;
    settings.batchSize = 1;
    settings.evaluateEvery = 0;
    settings.train = false;
    settings.measureQ = measureQ;
    settings.workers = 1;
    settings.trace = TracePath();
    settings.overwrite = true;
    return settings;
}

/// Arguments: nodes, out-degree with the node itself, rounds, whether q is measured, whether the
/// model is a small one: 7850 parameters instead of 26,010.
void
Messages(benchmark::State& state)
{
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
    const auto rounds = static_cast<dpdl::Round>(state.range(2));
    const std::int64_t messages = state.range(0) * (state.range(1) - 1) * rounds;
    for (auto _ : state)
    {
        dpdl::RunSettings settings =
            MakeSettings(state.range(0), state.range(1), rounds, state.range(3) != 0);
        settings.model = state.range(4) != 0 ? "softmax-regression" : settings.model;
        ns3::DpdlHelper helper(settings);
        ns3::NodeContainer nodes;
        nodes.Create(static_cast<std::uint32_t>(state.range(0)));
        helper.Install(nodes);
        const double start = CpuSeconds();
        ns3::Simulator::Run();
        state.SetIterationTime(CpuSeconds() - start);
        helper.Finish();
        ns3::Simulator::Destroy();
    }
    std::filesystem::remove(TracePath());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.SetItemsProcessed(messages * state.iterations());
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Arguments: nodes, out-degree with the node itself.
void
Mixing(benchmark::State& state)
{
    constexpr std::size_t parameters = 26010;
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const auto degree = static_cast<std::size_t>(state.range(1));
    dpdl::ParameterPool pool(parameters);
    const std::vector<float> values(parameters, 1.0F);
    std::vector<dpdl::ParameterHandle> before;
    std::vector<dpdl::ParameterHandle> after;
    for (std::size_t node = 0; node < nodes; ++node)
    {
        before.push_back(pool.AcquireCopy(values.data()));
        after.push_back(pool.AcquireCopy(values.data()));
    }
    std::vector<dpdl::MixTerm> terms(degree);
    for (auto _ : state)
    {
        for (std::size_t node = 0; node < nodes; ++node)
        {
            for (std::size_t term = 0; term < degree; ++term)
            {
                terms[term] = {before[(node + 17 * term) % nodes], 1.0 / degree};
            }
            dpdl::MixParameters(terms, *after[node]);
        }
        before.swap(after);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(nodes * (degree - 1)) * state.iterations());
}

constexpr std::uint32_t CHANNEL_DEGREE = 9;
constexpr std::uint32_t CHANNEL_ROUNDS = 20;

/// Arguments: nodes. What ns-3 itself takes for the events of Channel.
void
BareEvent(benchmark::State& state)
{
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
    const auto nodes = static_cast<std::uint32_t>(state.range(0));
    // 100,000 bytes at the default 10 Mbit/s, and the default delay, on idle links.
    const ns3::Time wait = ns3::MilliSeconds(80) + ns3::MilliSeconds(5);
    std::uint64_t done = 0;
    for (auto _ : state)
    {
        const double start = CpuSeconds();
        for (std::uint32_t round = 0; round < CHANNEL_ROUNDS; ++round)
        {
            for (std::uint32_t i = 0; i < nodes * CHANNEL_DEGREE; ++i)
            {
                const std::uint32_t target = (i / CHANNEL_DEGREE + 1 + i % CHANNEL_DEGREE) % nodes;
                ns3::Simulator::ScheduleWithContext(target, wait, [&done]() { ++done; });
            }
            ns3::Simulator::Run();
        }
        state.SetIterationTime(CpuSeconds() - start);
        ns3::Simulator::Destroy();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(done));
}

/// Arguments: nodes; each sends to its next nine neighbours, 20 times, and once before, unmeasured,
/// because the first message of a link makes the link.
void
Channel(benchmark::State& state)
{
    constexpr std::uint32_t degree = CHANNEL_DEGREE;
    constexpr std::uint32_t rounds = CHANNEL_ROUNDS;
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
    const auto nodes = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state)
    {
        std::uint64_t arrived = 0;
        const auto transport = ns3::CreateObject<ns3::DpdlMessageTransport>();
        for (std::uint32_t node = 0; node < nodes; ++node)
        {
            transport->Connect(
                node,
                node,
                [&arrived](const dpdl::Share&, ns3::Ptr<ns3::Packet>) { ++arrived; },
                [](const dpdl::Share&, dpdl::LossCause) {});
        }
        dpdl::ParameterPool pool(1);
        const dpdl::ParameterHandle model = pool.Acquire();
        const auto packet = ns3::Create<ns3::Packet>(100000);
        double start = 0.0;
        for (std::uint32_t round = 0; round <= rounds; ++round)
        {
            start = round == 1 ? CpuSeconds() : start;
            for (std::uint32_t i = 0; i < nodes * degree; ++i)
            {
                dpdl::Share share;
                share.source = i / degree;
                share.target = (share.source + 1 + i % degree) % nodes;
                share.round = round;
                share.z = model;
                transport->Send(share, packet);
            }
            ns3::Simulator::Run();
        }
        state.SetIterationTime(CpuSeconds() - start);
        if (arrived != std::uint64_t{nodes} * degree * (rounds + 1))
        {
            state.SkipWithError("a message is missing");
        }
        transport->Dispose();
        ns3::Simulator::Destroy();
    }
    state.SetItemsProcessed(state.iterations() * nodes * degree * rounds);
}

void
SetUp(benchmark::State& state)
{
    for (auto _ : state)
    {
        const dpdl::RunSettings settings = MakeSettings(1000, 10, 10, true);
        const double before = CpuSeconds();
        dpdl::LoadDataset(settings.dataset,
                          settings.dataDir,
                          settings.samples,
                          settings.testSamples);
        const double dataset = CpuSeconds() - before;
        const double start = CpuSeconds();
        ns3::DpdlHelper helper(settings);
        ns3::NodeContainer nodes;
        nodes.Create(1000);
        helper.Install(nodes);
        state.SetIterationTime(CpuSeconds() - start - dataset);
        state.counters["dataset_ms"] = 1e3 * dataset;
        ns3::Simulator::Destroy();
    }
    std::filesystem::remove(TracePath());
}

void
DeliveryRows(benchmark::State& state)
{
    dpdl::TraceStore::Options options;
    options.overwrite = true;
    dpdl::TraceStore store(TracePath(), options);
    dpdl::DeliveryRow row;
    row.weight = 0.1;
    row.bytes = 104092;
    for (auto _ : state)
    {
        for (std::uint32_t i = 0; i < 1000; ++i)
        {
            row.source = i;
            row.target = i + 1;
            row.arrivedAt = row.sentAt + 0.01 * i;
            row.usedInRound = row.round;
            store.Add(row);
        }
        ++row.round;
        row.sentAt += 0.1;
    }
    store.Finish(true);
    std::filesystem::remove(TracePath());
    state.SetItemsProcessed(1000 * state.iterations());
}

BENCHMARK(BareEvent)->Arg(20)->Arg(1000)->Arg(2000)->UseManualTime();
BENCHMARK(Channel)->Arg(20)->Arg(1000)->Arg(2000)->UseManualTime();
BENCHMARK(Messages)
    ->ArgNames({"nodes", "degree", "rounds", "q", "small"})
    ->Args({1000, 3, 100, 0, 0})
    ->Args({1000, 3, 100, 1, 0})
    ->Args({1000, 10, 60, 0, 0})
    ->Args({1000, 10, 60, 1, 0})
    ->Args({20, 10, 1000, 0, 0})
    ->Args({100, 10, 200, 0, 0})
    ->Args({2000, 10, 30, 0, 0})
    ->Args({20, 10, 1000, 0, 1})
    ->Args({100, 10, 200, 0, 1})
    ->Args({1000, 3, 100, 0, 1})
    ->Args({1000, 10, 60, 0, 1})
    ->Args({2000, 10, 30, 0, 1})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Mixing)
    ->ArgNames({"nodes", "degree"})
    ->Args({1000, 3})
    ->Args({1000, 10})
    ->Args({20, 10})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(SetUp)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(DeliveryRows)->Iterations(1000)->MeasureProcessCPUTime()->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
