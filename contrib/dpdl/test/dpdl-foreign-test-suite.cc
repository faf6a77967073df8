// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-checked-run.h"
#include "dpdl-foreign-traffic.h"
#include "dpdl-test-case.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/dpdl-stream-reader.h"

using namespace ns3;
using dpdltest::CheckedRun;
using dpdltest::ForeignTraffic;
using dpdltest::Mangler;
using dpdltest::RunChecked;
using dpdltest::RunInSimulator;

namespace
{

/// A run of six nodes in packet mode. @param trace its path @param transport udp or tcp
/// @param payload handle or bytes
dpdl::RunOptions
SixNodes(const std::string& trace, const std::string& transport, const std::string& payload)
{
    dpdl::RunOptions settings = dpdltest::SmallRun(trace);
    settings.nodes = 6;
    settings.rounds = 8;
    settings.samples = 240;
    dpdl::SetOption(settings, "network", "packet");
    dpdl::SetOption(settings, "transport", transport);
    dpdl::SetOption(settings, "payload", payload);
    return settings;
}

/**
 * @ingroup dpdl-tests
 * @brief Packets from outside change no model, lose no message, move no mass, and are counted.
 */
class DpdlForeignPacketsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Judge("udp", "handle");
        Judge("udp", "bytes");
        Judge("tcp", "handle");
        Judge("tcp", "bytes");
    }

    void Judge(const std::string& transport, const std::string& payload)
    {
        const dpdl::RunOptions settings =
            SixNodes(CreateTempDirFilename("run.db"), transport, payload);
        const dpdltest::Outcome expected = RunInSimulator(settings);
        for (const auto from : {ForeignTraffic::From::OUTSIDE, ForeignTraffic::From::INSIDE})
        {
            std::unique_ptr<ForeignTraffic> traffic;
            const auto prepare = [&](DpdlHelper&, ApplicationContainer applications) {
                traffic = std::make_unique<ForeignTraffic>(applications.Get(0)->GetNode(),
                                                           applications.Get(1)->GetNode(),
                                                           from,
                                                           transport == "tcp");
            };
            const CheckedRun run = RunChecked(settings, prepare);
            const bool isOutside = from == ForeignTraffic::From::OUTSIDE;
            const std::string where = transport + payload + (isOutside ? " outside" : " inside");
            NS_TEST_EXPECT_MSG_EQ(run.outcome.complete, true, where);
            NS_TEST_EXPECT_MSG_EQ((run.outcome.states == expected.states), true, where);
            NS_TEST_EXPECT_MSG_EQ((run.outcome.weights == expected.weights), true, where);
            NS_TEST_EXPECT_MSG_LT(run.massError, 1e-12, where);
            const dpdl::TraceReader trace(settings.trace);
            const auto summary = [&trace](const std::string& name) {
                return trace.SummaryNumber(name).value_or(-1.0);
            };
            NS_TEST_EXPECT_MSG_EQ(summary("messages_lost"), 0.0, where);
            NS_TEST_EXPECT_MSG_EQ(summary("messages_corrupt"), 0.0, where);
            NS_TEST_EXPECT_MSG_GT(traffic->Sent(), 50, where);
            NS_TEST_EXPECT_MSG_GT(summary("packets_corrupt"), traffic->Expected() - 0.5, where);
            // A connection that is not accepted is tried again.
            const double most = transport == "tcp" ? 10.0 * traffic->Sent() : traffic->Sent();
            NS_TEST_EXPECT_MSG_LT(summary("packets_corrupt"), most + 0.5, where);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Packets of the run that come twice and in another order change nothing.
 */
class DpdlReorderedRunTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Judge("udp");
        Judge("tcp");
    }

    void Judge(const std::string& transport)
    {
        const dpdl::RunOptions settings =
            SixNodes(CreateTempDirFilename("run.db"), transport, "bytes");
        const dpdltest::Outcome expected = RunInSimulator(settings);
        const auto prepare = [](DpdlHelper&, ApplicationContainer applications) {
            for (uint32_t i = 0; i < applications.GetN(); ++i)
            {
                const Ptr<Node> node = applications.Get(i)->GetNode();
                for (uint32_t k = 0; k < node->GetNDevices(); ++k)
                {
                    if (const auto device = DynamicCast<PointToPointNetDevice>(node->GetDevice(k)))
                    {
                        device->SetReceiveErrorModel(
                            CreateObject<Mangler>(device, Mangler::Odds{0.3, 0.2, 0.0}));
                    }
                }
            }
        };
        const CheckedRun run = RunChecked(settings, prepare);
        NS_TEST_EXPECT_MSG_EQ((run.outcome.states == expected.states), true, "models");
        NS_TEST_EXPECT_MSG_EQ((run.outcome.weights == expected.weights), true, "weights");
        NS_TEST_EXPECT_MSG_LT(run.massError, 1e-12, "mass");
        const dpdl::TraceReader trace(settings.trace);
        NS_TEST_EXPECT_MSG_EQ(trace.SummaryNumber("messages_lost").value_or(-1.0), 0.0, "lost");
        NS_TEST_EXPECT_MSG_EQ(trace.SummaryNumber("packets_corrupt").value_or(-1.0), 0.0, "sound");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A stream gives its messages however it is cut, stops at damage, and keeps what it is told.
 */
class DpdlStreamReaderTest : public dpdltest::Case
{
    using Case::Case;

    using Progress = DpdlStreamReader::Progress;

    void DoRun() override
    {
        // From here on, a header that is taken from a packet that does not begin with it is fatal.
        Packet::EnableChecking();
        for (uint32_t trial = 0; trial < 50; ++trial)
        {
            CutAnywhere(trial);
        }
        DpdlFragmentHeader header;
        header.size = std::numeric_limits<uint32_t>::max();
        DpdlStreamReader reader;
        NS_TEST_EXPECT_MSG_EQ((reader.Take(PacketOf(header)) == Progress::START), true, "start");
        reader.Keep(52);
        NS_TEST_EXPECT_MSG_EQ((reader.Take(Create<Packet>(1000)) == Progress::PART), true, "part");
        NS_TEST_EXPECT_MSG_EQ(reader.Bytes().size(), 52, "what a message claims is not reserved");
        header.count = 2;
        DpdlStreamReader other;
        NS_TEST_EXPECT_MSG_EQ((other.Take(PacketOf(header)) == Progress::BROKEN), true, "pieces");
        DpdlStreamReader third;
        NS_TEST_EXPECT_MSG_EQ((third.Take(Create<Packet>(31)) == Progress::PART), true, "short");
        NS_TEST_EXPECT_MSG_EQ((third.Take(Create<Packet>(1)) == Progress::BROKEN), true, "zeros");
    }

    /// @param header alone in a packet
    static Ptr<Packet> PacketOf(const DpdlFragmentHeader& header)
    {
        const Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        return packet;
    }

    /// Ten messages in segments of random sizes. @param trial numbers the draws
    void CutAnywhere(uint32_t trial)
    {
        const dpdl::RandomStream draws({1, 1}, dpdl::RandomPurpose::TEST, 2, trial);
        Ptr<Packet> stream = Create<Packet>();
        for (uint32_t number = 0; number < 10; ++number)
        {
            DpdlFragmentHeader header;
            header.number = number;
            header.size = 1 + draws.Integer(number, 300);
            const std::vector<uint8_t> body(header.size, static_cast<uint8_t>(number));
            stream->AddAtEnd(PacketOf(header));
            stream->AddAtEnd(Create<Packet>(body.data(), header.size));
        }
        DpdlStreamReader reader;
        uint32_t messages = 0;
        for (uint64_t draw = 100; stream->GetSize() > 0; ++draw)
        {
            const uint32_t size = std::min(stream->GetSize(), 1 + draws.Integer(draw, 200));
            const Ptr<Packet> segment = stream->CreateFragment(0, size);
            stream->RemoveAtStart(size);
            while (segment->GetSize() > 0)
            {
                const Progress progress = reader.Take(segment);
                NS_TEST_ASSERT_MSG_EQ((progress == Progress::BROKEN), false, "sound");
                if (progress == Progress::START)
                {
                    reader.Keep(reader.Header().size);
                }
                else if (progress == Progress::MESSAGE)
                {
                    const std::vector<uint8_t> body(reader.Header().size,
                                                    static_cast<uint8_t>(messages));
                    NS_TEST_EXPECT_MSG_EQ(reader.Header().number, messages, "in order");
                    NS_TEST_EXPECT_MSG_EQ((reader.Bytes() == body), true, "contents");
                    ++messages;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(messages, 10, "all");
    }
};

const dpdltest::Suite g_dpdlForeignTestSuite(
    "dpdl-foreign",
    {new DpdlStreamReaderTest("stream reader"),
     new DpdlForeignPacketsTest("forged, cut and repeated packets"),
     new DpdlReorderedRunTest("repeated and reordered packets of the run")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
