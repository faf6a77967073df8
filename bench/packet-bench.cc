// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What packet mode costs beyond ns-3 itself: processor time of a run of the application, with
 * training switched off, over that of bare sockets that send the same bytes through the same links
 * (UDP: sockets that are given datagrams of the same sizes; TCP: BulkSend with the same segments
 * and buffers). What the same run takes on the ideal network, which is mixing and trace, is shown
 * beside it. 20 nodes, exponential graph, 26,010 parameters. Both sides are measured in turn.
 * Before that, what building 1000 nodes with 9000 links takes.
 *
 * usage: packet-bench [REPEATS]
 */

#include "dpdl/topology/topologies.h"

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
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <unistd.h>

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
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
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
    dpdl::RunSettings settings;
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
    settings.trace = std::filesystem::temp_directory_path() /
                     ("dpdl-packet-bench-" + std::to_string(getpid()) + ".db");
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
    std::filesystem::remove(settings.trace);
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

/// Measures both sides in turn and prints a line.
template <typename Bare>
void
Compare(const std::string& name, int repeats, dpdl::TransportKind transport, const Bare& bare)
{
    std::vector<double> ratios;
    double leastBare = 1e9;
    double leastOurs = 1e9;
    double leastIdeal = 1e9;
    for (int i = 0; i < repeats; ++i)
    {
        const double base = bare();
        const double ours = RunApplication(dpdl::NetworkKind::PACKET, transport);
        leastIdeal = std::min(leastIdeal, RunApplication(dpdl::NetworkKind::IDEAL, transport));
        leastBare = std::min(leastBare, base);
        leastOurs = std::min(leastOurs, ours);
        ratios.push_back(ours / base);
    }
    std::sort(ratios.begin(), ratios.end());
    std::cout << std::fixed << std::setprecision(3) << name << ": bare " << leastBare << " s, dpdl "
              << leastOurs << " s of which " << leastIdeal
              << " s without a network; ratio of the least " << leastOurs / leastBare
              << ", of the network alone " << (leastOurs - leastIdeal) / leastBare
              << "; ratio of each pair: median " << ratios[ratios.size() / 2] << ", from "
              << ratios.front() << " to " << ratios.back() << std::endl;
}

/// Measures the building of a large network of links with IP and prints a line.
void
TimeSetUp()
{
    constexpr uint32_t MANY = 1000;
    const double start = ProcessorSeconds();
    NodeContainer nodes;
    nodes.Create(MANY);
    const auto graph = dpdl::MakeGraphSequence("out-degree:10", MANY, {1, 1});
    const auto network = BareNetwork(nodes, *graph);
    std::cout << "set-up: " << MANY << " nodes, " << network->LinkCount() << " links, "
              << std::fixed << std::setprecision(3) << ProcessorSeconds() - start << " s"
              << std::endl;
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    TimeSetUp();
    Compare("udp", repeats, dpdl::TransportKind::UDP, RunBareUdp);
    Compare("tcp", repeats, dpdl::TransportKind::TCP, RunBareTcp);
    return 0;
}
