// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"

#include "ns3/config.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>

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
class DpdlPacketSameModelsTest : public TestCase
{
  public:
    DpdlPacketSameModelsTest()
        : TestCase("ideal, message, UDP and TCP, handles and bytes: the same models")
    {
    }

  private:
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
class DpdlPacketLossTest : public TestCase
{
  public:
    DpdlPacketLossTest()
        : TestCase("lost packets")
    {
    }

  private:
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
 * @brief Links that go down lose the same messages in message mode and in packets over UDP.
 */
class DpdlSameLossesTest : public TestCase
{
  public:
    DpdlSameLossesTest()
        : TestCase("links that are down: message mode and UDP lose the same")
    {
    }

  private:
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
class DpdlPacketRefusalTest : public TestCase
{
  public:
    DpdlPacketRefusalTest()
        : TestCase("refused before the run")
    {
    }

  private:
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
        bool isRefused = false;
        try
        {
            RunInSimulator(settings);
        }
        catch (const dpdl::UsageError&)
        {
            isRefused = true;
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(isRefused, true, transport << ", " << failure);
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(settings.trace).good(), false, "no trace");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Tests of whole runs in packet mode.
 */
class DpdlPacketRunTestSuite : public TestSuite
{
  public:
    DpdlPacketRunTestSuite()
        : TestSuite("dpdl-packet-run", Type::SYSTEM)
    {
        AddTestCase(new DpdlPacketSameModelsTest);
        AddTestCase(new DpdlPacketLossTest);
        AddTestCase(new DpdlPacketRefusalTest);
        AddTestCase(new DpdlSameLossesTest);
    }
};

DpdlPacketRunTestSuite g_dpdlPacketRunTestSuite; //!< the suite

} // namespace
