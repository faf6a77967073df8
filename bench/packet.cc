// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What packet mode costs beyond ns-3 itself: processor time of a run of the application, with
 * training switched off, over that of bare sockets that send the same bytes through the same links
 * (UDP: sockets that are given datagrams of the same sizes; TCP: BulkSend with the same segments
 * and buffers). What the same run takes on the ideal network, which is mixing and trace, is shown
 * beside it. 20 nodes, exponential graph, 26,010 parameters. Both sides are measured alternately.
 * Before that, what building 1000 nodes with 9000 links takes.
 */

#include "dpdl/topology/topologies.h"
#include "harness/run-bench.h"
#include "harness/temporary-file.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/dpdl-helper.h"
#include "ns3/dpdl-packet-network.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace
{

using namespace ns3;

constexpr uint32_t NODES = 20;
constexpr uint32_t ROUNDS = 40;
constexpr uint32_t MESSAGE_BYTES = 52 + 4 * 26010;
constexpr uint32_t DATAGRAM_BYTES = 1472;
constexpr uint32_t FRAGMENT_HEADER = 32;
constexpr uint32_t SEGMENT_BYTES = 1448;
constexpr uint32_t BUFFER_BYTES = 32 << 10;
constexpr uint16_t PORT = 4242;

double
ProcessorSeconds()
{
    return dpdl::SecondsOf(dpdl::TimeOf::PROCESSOR);
}

/// Processor seconds of Simulator::Run(), which is all that is compared.
double
TimeSimulation()
{
    const double start = ProcessorSeconds();
    Simulator::Run();
    return ProcessorSeconds() - start;
}

double
RunApplication(dpdl::NetworkKind network, dpdl::TransportKind transport)
{
    dpdl::RunOptions settings;
    settings.algorithm = "sgp";
    settings.network = network;
    settings.transport = transport;
    settings.nodes = NODES;
    settings.rounds = ROUNDS;
    settings.samples = NODES;
    settings.testSamples = 1;
    settings.batchSize = 1;
    settings.evaluateEvery = 0;
    settings.train = false;
    settings.measureQ = false;
    settings.workers = 1;
    const dpdl::TemporaryFile trace("packet.db");
    settings.trace = trace.Path();
    settings.overwrite = true;
    NodeContainer nodes;
    nodes.Create(NODES);
    double seconds = 0.0;
    {
        DpdlHelper helper(settings);
        helper.Install(nodes);
        seconds = TimeSimulation();
        helper.Finish();
        Simulator::Destroy();
    }
    return seconds;
}

/// The network that the application builds, with every link of the graph.
std::shared_ptr<DpdlPacketNetwork>
BareNetwork(const NodeContainer& nodes, const dpdl::GraphSequence& graph)
{
    auto network = std::make_shared<DpdlPacketNetwork>(nodes, [](uint32_t, uint32_t) {
        return dpdl::LinkParameters();
    });
    network->ConnectAll(graph, ROUNDS);
    return network;
}

void
Drain(Ptr<Socket> socket)
{
    while (socket->Recv())
    {
    }
}

void
SendMessage(Ptr<Socket> socket, const Address& to)
{
    constexpr uint32_t PAYLOAD = DATAGRAM_BYTES - FRAGMENT_HEADER;
    for (uint32_t sent = 0; sent < MESSAGE_BYTES; sent += PAYLOAD)
    {
        const uint32_t size = std::min(PAYLOAD, MESSAGE_BYTES - sent) + FRAGMENT_HEADER;
        socket->SendTo(Create<Packet>(size), 0, to);
    }
}

double
RunBareUdp()
{
    NodeContainer nodes;
    nodes.Create(NODES);
    const auto graph = dpdl::MakeGraphSequence("exponential", NODES, {1, 1});
    const auto network = BareNetwork(nodes, *graph);
    std::vector<Ptr<Socket>> sockets;
    for (uint32_t i = 0; i < NODES; ++i)
    {
        sockets.push_back(Socket::CreateSocket(nodes.Get(i), UdpSocketFactory::GetTypeId()));
        sockets[i]->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sockets[i]->SetRecvCallback(MakeCallback(&Drain));
    }
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        for (uint32_t source = 0; source < NODES; ++source)
        {
            for (const uint32_t target : graph->OutNeighbours(source, round))
            {
                Simulator::Schedule(MilliSeconds(110) * int64_t{round},
                                    &SendMessage,
                                    sockets[source],
                                    network->Connect(source, target, PORT).remote);
            }
        }
    }
    const double seconds = TimeSimulation();
    Simulator::Destroy();
    return seconds;
}

double
RunBareTcp()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(BUFFER_BYTES));
    NodeContainer nodes;
    nodes.Create(NODES);
    const auto graph = dpdl::MakeGraphSequence("exponential", NODES, {1, 1});
    const auto network = BareNetwork(nodes, *graph);
    PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT))
        .Install(nodes);
    const uint32_t period = graph->Period();
    for (uint32_t source = 0; source < NODES; ++source)
    {
        for (uint32_t round = 0; round < period; ++round)
        {
            for (const uint32_t target : graph->OutNeighbours(source, round))
            {
                BulkSendHelper bulk("ns3::TcpSocketFactory",
                                    network->Connect(source, target, PORT).remote);
                const uint32_t times = ROUNDS / period + (round < ROUNDS % period ? 1 : 0);
                bulk.SetAttribute("MaxBytes",
                                  UintegerValue(uint64_t{MESSAGE_BYTES + FRAGMENT_HEADER} * times));
                bulk.SetAttribute("SendSize", UintegerValue(SEGMENT_BYTES));
                bulk.Install(nodes.Get(source));
            }
        }
    }
    const double seconds = TimeSimulation();
    Simulator::Destroy();
    return seconds;
}

/// Runs of one transport, beside bare sockets.
template <typename Bare>
void
Compare(const dpdl::BenchRequest& request,
        const std::string& name,
        dpdl::TransportKind transport,
        const Bare& bare,
        dpdl::BenchReport& report)
{
    dpdl::InterleavedBenchmark benchmark(request.Rules(30.0));
    benchmark.AddTimed(
        [transport]() { return RunApplication(dpdl::NetworkKind::PACKET, transport); });
    benchmark.AddTimed(bare);
    benchmark.AddTimed(
        [transport]() { return RunApplication(dpdl::NetworkKind::IDEAL, transport); });
    benchmark.Run();
    dpdl::BenchRow& row =
        report.AddRow(name + ", a run of 40 rounds", dpdl::Milliseconds(), benchmark.Seconds(0));
    row.AddFloor("bare sockets", benchmark.Seconds(1));
    row.AddVariant("the same without a network", benchmark.Seconds(2));
}

/// Seconds to build a large network of links with IP.
double
BuildNetwork(uint32_t count)
{
    const double start = ProcessorSeconds();
    NodeContainer nodes;
    nodes.Create(count);
    const auto graph = dpdl::MakeGraphSequence("out-degree:10", count, {1, 1});
    const auto network = BareNetwork(nodes, *graph);
    const double seconds = ProcessorSeconds() - start;
    Simulator::Destroy();
    return seconds;
}

void
Measure(const dpdl::BenchRequest& request, dpdl::BenchReport& report)
{
    constexpr double goalMilliseconds = 3000.0;
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    const uint32_t many = request.quick ? 100 : 1000;
    dpdl::InterleavedBenchmark benchmark(request.Rules(6.0));
    benchmark.AddTimed([many]() { return BuildNetwork(many); });
    benchmark.Run();
    dpdl::BenchRow& row = report.AddRow("set-up of " + std::to_string(many) + " nodes with " +
                                            std::to_string(9 * many) + " links and IP",
                                        dpdl::Milliseconds(),
                                        benchmark.Seconds(0));
    row.goal = dpdl::AtMost(goalMilliseconds);
    Compare(request, "udp", dpdl::TransportKind::UDP, RunBareUdp, report);
    Compare(request, "tcp", dpdl::TransportKind::TCP, RunBareTcp, report);
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunBench({"packet",
                           "What packet mode costs beyond ns-3 itself, with training switched off.",
                           {},
                           Measure},
                          {argv + 1, argv + argc});
}
