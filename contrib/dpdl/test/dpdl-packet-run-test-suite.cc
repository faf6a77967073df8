// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/config.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/// A run of eight nodes over twenty rounds. @param trace path of its trace
dpdl::RunOptions
EightNodes(const std::string& trace)
{
    dpdl::RunOptions settings = SmallRun(trace);
    settings.nodes = 8;
    settings.rounds = 20;
    settings.samples = 320;
    settings.evaluateEvery = 5;
    return settings;
}

/**
 * @ingroup dpdl-tests
 * @brief Without loss the network does not change the models, whatever a message carries.
 */
class DpdlPacketSameModelsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = EightNodes(CreateTempDirFilename("run.db"));
        settings.network = dpdl::NetworkKind::IDEAL;
        const Outcome expected = RunInSimulator(settings);
        NS_TEST_ASSERT_MSG_EQ(expected.complete, true, "ideal");
        const std::vector<std::pair<std::string, std::string>> networks{{"ideal", "udp"},
                                                                        {"message", "udp"},
                                                                        {"packet", "udp"},
                                                                        {"packet", "tcp"}};
        for (const auto& [network, transport] : networks)
        {
            for (const std::string payload : {"handle", "bytes"})
            {
                dpdl::SetOption(settings, "network", network);
                dpdl::SetOption(settings, "transport", transport);
                dpdl::SetOption(settings, "payload", payload);
                const Outcome outcome = RunInSimulator(settings);
                NS_TEST_EXPECT_MSG_EQ((outcome == expected),
                                      true,
                                      network << " " << transport << " " << payload);
            }
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Lost packets lose messages in UDP and none in TCP; the mass stays exact.
 */
class DpdlPacketLossTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = EightNodes(CreateTempDirFilename("run.db"));
        settings.network = dpdl::NetworkKind::IDEAL;
        const Outcome lossless = RunInSimulator(settings);
        settings.network = dpdl::NetworkKind::PACKET;
        settings.drop = 0.01;
        double lost = 0.0;
        const auto inspect = [&](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_LT(experiment.Mass().Error(), 1e-11, "mass");
            lost = experiment.Mass().Lost();
        };
        const Outcome udp = RunInSimulator(settings, {}, inspect);
        NS_TEST_EXPECT_MSG_EQ(udp.complete, true, "UDP");
        NS_TEST_EXPECT_MSG_GT(lost, 1.0, "mass lost");
        NS_TEST_EXPECT_MSG_LT(lost, 7.9, "mass lost");
        settings.transport = dpdl::TransportKind::TCP;
        const Outcome tcp = RunInSimulator(settings, {}, inspect);
        // Nodes drift apart in time, and with them what an evaluation in between sees.
        NS_TEST_EXPECT_MSG_EQ((tcp.states == lossless.states), true, "TCP");
        NS_TEST_EXPECT_MSG_EQ((tcp.weights == lossless.weights), true, "TCP");
        NS_TEST_EXPECT_MSG_EQ(lost, 0.0, "mass lost");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What happens to a directed edge happens to its messages, and to none of the way back.
 */
class DpdlTwoWayEdgeTest : public dpdltest::Case
{
    using Case::Case;

    using Edge = std::pair<uint32_t, uint32_t>;

    static std::string NameOf(const Edge& edge)
    {
        return std::to_string(edge.first) + "->" + std::to_string(edge.second);
    }

    /// Messages of each directed edge that were lost, or came later than the slowest without loss
    /// and @p more.
    std::map<Edge, uint32_t> Hit(const dpdl::RunOptions& settings, double more)
    {
        const Outcome outcome = RunInSimulator(settings);
        NS_TEST_EXPECT_MSG_EQ(outcome.complete, true, settings.topology << " is complete");
        std::map<Edge, uint32_t> hit;
        const dpdl::TraceReader trace(settings.trace);
        double slowest = m_slowest;
        for (const dpdl::Delivery& message : trace.Deliveries(settings.nodes))
        {
            const double delay = message.arrivedAt ? *message.arrivedAt - message.sentAt : INFINITY;
            hit[{message.source, message.target}] += delay > m_slowest + more ? 1 : 0;
            slowest = std::max(slowest, delay);
        }
        m_slowest = m_slowest == 0.0 ? slowest * (1.0 + 1e-9) : m_slowest;
        return hit;
    }

    void DoRun() override
    {
        for (const char* topology : {"ring", "star", "complete"})
        {
            for (const char* transport : {"udp", "tcp"})
            {
                dpdl::RunOptions settings = EightNodes(CreateTempDirFilename("run.db"));
                settings.nodes = topology == std::string("ring") ? 2 : 4;
                settings.rounds = 30;
                settings.network = dpdl::NetworkKind::PACKET;
                dpdl::SetOption(settings, "topology", topology);
                dpdl::SetOption(settings, "transport", transport);
                dpdl::SetOption(settings, "deadline", "60s");
                m_slowest = 0.0;
                Hit(settings, 0.0);
                const std::string name = std::string(topology) + " " + transport + " ";
                dpdl::RunOptions lossy = settings;
                lossy.drop = 0.05;
                for (const auto& [edge, messages] : Hit(lossy, 0.0))
                {
                    NS_TEST_EXPECT_MSG_GT(messages, 0, name << NameOf(edge) << " loses packets");
                }
                dpdl::RunOptions broken = settings;
                dpdl::SetOption(broken, "fail", "link 1->0 down at 100ms for 300ms");
                // A node that has waited sends two messages, of which the second waits for the
                // first.
                for (const auto& [edge, messages] : Hit(broken, 0.1))
                {
                    const bool isHit = messages > 0;
                    const bool isBroken = edge == Edge{1, 0};
                    NS_TEST_EXPECT_MSG_EQ(isHit, isBroken, name << NameOf(edge) << ", 1->0 down");
                }
            }
        }
    }

    double m_slowest{0.0}; //!< delay of the slowest message without loss, in s
};

/**
 * @ingroup dpdl-tests
 * @brief Links that go down lose the same messages in message mode and in packets over UDP.
 */
class DpdlSameLossesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = EightNodes(CreateTempDirFilename("run.db"));
        dpdl::SetOption(settings, "deadline", "100ms");
        dpdl::SetOption(settings, "fail", "random link * down mean-up=300ms mean-down=50ms");
        double lost = 0.0;
        const auto inspect = [&lost](dpdl::Experiment& experiment) {
            lost = experiment.Mass().Lost();
        };
        // What a packet adds to 1440 bytes of a message: fragment header, UDP, IP and PPP.
        Config::SetDefault("ns3::DpdlMessageTransport::PacketSize", UintegerValue(1440));
        Config::SetDefault("ns3::DpdlMessageTransport::PacketOverhead", UintegerValue(62));
        const Outcome message = RunInSimulator(settings, {}, inspect);
        Config::SetDefault("ns3::DpdlMessageTransport::PacketSize", UintegerValue(0));
        Config::SetDefault("ns3::DpdlMessageTransport::PacketOverhead", UintegerValue(0));
        const double lostByMessages = lost;
        settings.network = dpdl::NetworkKind::PACKET;
        const Outcome packet = RunInSimulator(settings, {}, inspect);
        NS_TEST_EXPECT_MSG_GT(lost, 1.0, "mass lost");
        NS_TEST_EXPECT_MSG_EQ(lost, lostByMessages, "the same mass");
        NS_TEST_EXPECT_MSG_EQ((message.states == packet.states), true, "states");
        NS_TEST_EXPECT_MSG_EQ((message.weights == packet.weights), true, "weights");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What packet mode cannot do is refused before the run, and no trace is left.
 */
class DpdlPacketRefusalTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Refuse("tcp", "link 0->1 delay 5ms at 1s");
        Refuse("tcp", "random link * delay 5ms mean-up=1s mean-down=1s");
        Config::SetDefault("ns3::DpdlUdpTransport::DatagramSize", UintegerValue(32));
        Refuse("udp", "");
        Config::SetDefault("ns3::DpdlUdpTransport::DatagramSize", UintegerValue(0));
    }

    /**
     * @brief Expects a UsageError of Install().
     * @param transport of the packets
     * @param failure event
     */
    void Refuse(const std::string& transport, const std::string& failure)
    {
        dpdl::RunOptions settings = EightNodes(CreateTempDirFilename("refused.db"));
        settings.network = dpdl::NetworkKind::PACKET;
        dpdl::SetOption(settings, "transport", transport);
        dpdl::SetOption(settings, "fail", failure);
        Case::Refuse([&settings] { RunInSimulator(settings); }, transport + ", " + failure);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(settings.trace).good(), false, "no trace");
    }
};

const dpdltest::Suite g_dpdlPacketRunTestSuite(
    "dpdl-packet-run",
    {new DpdlPacketSameModelsTest(
         "ideal, message, UDP and TCP, handles and bytes: the same models"),
     new DpdlPacketLossTest("lost packets"),
     new DpdlTwoWayEdgeTest("drop and failures act on one direction of an edge"),
     new DpdlPacketRefusalTest("refused before the run"),
     new DpdlSameLossesTest("links that are down: message mode and UDP lose the same")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
