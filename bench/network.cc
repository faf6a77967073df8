// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What a message costs, with training switched off. Everything is processor time.
 *
 * Channel: the transport alone, from Send() to the callback at the arrival; its floor is an empty
 * ns-3 event, with as many waiting as messages are under way and at the same times.
 * Messages: the whole way through application, transport, learner, mixing and trace, a row for
 * every message; its floor is the arithmetic on the models that such a run contains.
 * Set-up: DpdlHelper::Install() for 1000 nodes and 9000 links, without reading the dataset.
 */

#include "dpdl/trace/trace-store.h"
#include "harness/run-bench.h"
#include "harness/temporary-file.h"
#include "harness/traffic-work.h"

#include "ns3/dpdl-message-transport.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <sys/resource.h>

namespace
{

using dpdl::BenchReport;
using dpdl::BenchRequest;
using dpdl::BenchRow;
using dpdl::InterleavedBenchmark;
using dpdl::Measurement;
using dpdl::SecondsOf;
using dpdl::TimeOf;
using ns3::Traffic;

constexpr std::uint32_t CHANNEL_DEGREE = 9;
constexpr std::uint32_t CHANNEL_ROUNDS = 20;
constexpr double MOST_CHANNEL = 0.3;
constexpr double MOST_SET_UP = 500.0;

const std::vector<Traffic> TRAFFICS{
    {20, 10, 300, false, false},
    {1000, 10, 12, false, false},
    {2000, 10, 12, false, true},
    {20, 10, 300, true, false},
    {1000, 10, 12, true, false},
    {2000, 10, 12, true, true},
    {1000, 3, 30, false, true},
    {1000, 3, 30, true, true},
};

/// Seconds of one of so many.
Measurement
Each(const Measurement& seconds, double count)
{
    return Sum(Measurement({0.0}), seconds, 1.0 / count);
}

/// Seconds that ns-3 itself takes for the events of RunChannel().
double
RunBareEvents(std::uint32_t nodes)
{
    // 100,000 bytes at the default 10 Mbit/s, and the default delay, on idle links.
    const ns3::Time wait = ns3::MilliSeconds(80) + ns3::MilliSeconds(5);
    std::uint64_t done = 0;
    const double start = SecondsOf(TimeOf::PROCESSOR);
    for (std::uint32_t round = 0; round < CHANNEL_ROUNDS; ++round)
    {
        for (std::uint32_t i = 0; i < nodes * CHANNEL_DEGREE; ++i)
        {
            const std::uint32_t target = (i / CHANNEL_DEGREE + 1 + i % CHANNEL_DEGREE) % nodes;
            ns3::Simulator::ScheduleWithContext(target, wait, [&done]() { ++done; });
        }
        ns3::Simulator::Run();
    }
    const double seconds = SecondsOf(TimeOf::PROCESSOR) - start;
    ns3::Simulator::Destroy();
    return seconds;
}

void
ConnectAll(const ns3::Ptr<ns3::DpdlMessageTransport>& transport,
           std::uint32_t nodes,
           std::uint64_t& arrived)
{
    for (std::uint32_t node = 0; node < nodes; ++node)
    {
        transport->Connect(
            node,
            node,
            [&arrived](const ns3::DpdlMessage&) { ++arrived; },
            [](const dpdl::Share&, const dpdl::MessageLoss&) {});
    }
}

/// Each node sends to its next nine neighbours, and once before, untimed, because the first message
/// of a link makes the link.
double
RunChannel(std::uint32_t nodes)
{
    std::uint64_t arrived = 0;
    const auto transport = ns3::CreateObject<ns3::DpdlMessageTransport>();
    ConnectAll(transport, nodes, arrived);
    dpdl::ParameterPool pool(1);
    const dpdl::ParameterHandle model = pool.Acquire();
    const auto packet = ns3::Create<ns3::Packet>(100000);
    double start = 0.0;
    for (std::uint32_t round = 0; round <= CHANNEL_ROUNDS; ++round)
    {
        start = round == 1 ? SecondsOf(TimeOf::PROCESSOR) : start;
        for (std::uint32_t i = 0; i < nodes * CHANNEL_DEGREE; ++i)
        {
            dpdl::Share share;
            share.source = i / CHANNEL_DEGREE;
            share.target = (share.source + 1 + i % CHANNEL_DEGREE) % nodes;
            share.round = round;
            share.z = model;
            transport->Send(ns3::DpdlMessage(share, packet));
        }
        ns3::Simulator::Run();
    }
    const double seconds = SecondsOf(TimeOf::PROCESSOR) - start;
    transport->Dispose();
    ns3::Simulator::Destroy();
    if (arrived != std::uint64_t{nodes} * CHANNEL_DEGREE * (CHANNEL_ROUNDS + 1))
    {
        throw dpdl::Error("a message is missing");
    }
    return seconds;
}

void
MeasureChannel(const BenchRequest& request, BenchReport& report)
{
    for (const std::uint32_t nodes : {20U, 1000U, 2000U})
    {
        if (request.quick && nodes > 20)
        {
            continue;
        }
        InterleavedBenchmark benchmark(request.Rules(5.0));
        benchmark.AddTimed([nodes]() { return RunChannel(nodes); });
        benchmark.AddTimed([nodes]() { return RunBareEvents(nodes); });
        benchmark.Run();
        const double count = 1.0 * nodes * CHANNEL_DEGREE * CHANNEL_ROUNDS;
        BenchRow& row = report.AddRow("channel alone, a message among " + std::to_string(nodes),
                                      dpdl::Microseconds(),
                                      Each(benchmark.Seconds(0), count));
        row.goal = dpdl::AtMost(MOST_CHANNEL);
        row.AddFloor("an empty event of ns-3", Each(benchmark.Seconds(1), count));
    }
}

void
MeasureMessages(const BenchRequest& request, const Traffic& traffic, BenchReport& report)
{
    const dpdl::TemporaryFile trace("network.db");
    ns3::MixingWork mixing(traffic);
    InterleavedBenchmark benchmark(request.Rules(10.0));
    benchmark.AddTimed([&]() { return ns3::RunMessages(traffic, false, trace.Path()); });
    benchmark.AddTimed([&]() { return ns3::RunMessages(traffic, true, trace.Path()); });
    benchmark.Add([&mixing]() { mixing.Run(); });
    benchmark.Run();
    const double ofRound = traffic.Messages() / static_cast<double>(traffic.rounds);
    const Measurement floor = Each(benchmark.Seconds(2), ofRound);
    const std::string what = "message of " + std::to_string(traffic.Parameters()) +
                             " parameters among " + std::to_string(traffic.nodes) + ", " +
                             std::to_string(traffic.degree - 1) + " a node";
    const Measurement seconds = Each(benchmark.Seconds(0), traffic.Messages());
    BenchRow& row = report.AddRow(what, dpdl::Microseconds(), seconds);
    row.AddFloor("the arithmetic on the models alone", floor);
    BenchRow& withQ = report.AddRow("the same, q measured",
                                    dpdl::Microseconds(),
                                    Each(benchmark.Seconds(1), traffic.Messages()));
    withQ.AddVariant("q not measured", seconds);
}

void
MeasureRest(const BenchRequest& request, BenchReport& report)
{
    const dpdl::TemporaryFile trace("network.db");
    InterleavedBenchmark benchmark(request.Rules(6.0));
    benchmark.AddTimed([&trace]() { return ns3::RunSetUp(trace.Path()); });
    benchmark.Run();
    BenchRow& setUp = report.AddRow("set-up of 1000 nodes with 9000 links",
                                    dpdl::Milliseconds(),
                                    benchmark.Seconds(0));
    setUp.goal = dpdl::AtMost(MOST_SET_UP);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    report.AddFigure("peak memory of all of this",
                     "MiB",
                     Measurement({static_cast<double>(usage.ru_maxrss) / 1024.0}));
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("ns3::PriorityQueueScheduler"));
    MeasureChannel(request, report);
    for (const Traffic& traffic : TRAFFICS)
    {
        if ((traffic.large && !request.large) || (request.quick && traffic.nodes > 20))
        {
            continue;
        }
        MeasureMessages(request, traffic, report);
    }
    MeasureRest(request, report);
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunBench(
        {"network", "What a message costs, with training switched off.", {"large"}, Measure},
        {argv + 1, argv + argc});
}
