// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-test-network.h"
#include "dpdl-test-case.h"

#include "ns3/dpdl-header.h"
#include "ns3/dpdl-message-table.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using dpdltest::Mangler;
using dpdltest::PacketNetwork;

namespace
{

/// The bytes of a header.
std::vector<uint8_t>
BytesOf(const DpdlFragmentHeader& header)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/**
 * @ingroup dpdl-tests
 * @brief A fragment header comes back, has the documented layout, and passes no damage.
 */
class DpdlFragmentHeaderTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        DpdlFragmentHeader header;
        header.copies = 0x0102;
        header.number = 0x030405060708090a;
        header.index = 0x0b0c0d0e;
        header.count = 0x0f101112;
        header.size = 0x13141516;
        const std::vector<uint8_t> good = BytesOf(header);
        const std::vector<uint8_t> start{'d',  'p',  'f',  'r',  1,    0,    1,    2,    3,    4,
                                         5,    6,    7,    8,    9,    0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
                                         0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16};
        NS_TEST_ASSERT_MSG_EQ(good.size(), 32, "size");
        NS_TEST_EXPECT_MSG_EQ(std::equal(start.begin(), start.end(), good.begin()), true, "layout");
        DpdlFragmentHeader read;
        read.Read(good.data());
        NS_TEST_EXPECT_MSG_EQ(read.IsValid(), true, "undamaged");
        NS_TEST_EXPECT_MSG_EQ((BytesOf(read) == good), true, "all fields");
        for (std::size_t i = 0; i < good.size(); ++i)
        {
            for (int change = 1; change < 256; ++change)
            {
                std::vector<uint8_t> bytes = good;
                bytes[i] = static_cast<uint8_t>(bytes[i] ^ change);
                read.Read(bytes.data());
                NS_TEST_ASSERT_MSG_EQ(read.IsValid(), false, "byte " << i);
            }
        }
        Ptr<Packet> stub = Create<Packet>(good.data(), 31);
        NS_TEST_EXPECT_MSG_EQ(stub->PeekHeader(read), 0, "too short");
        NS_TEST_EXPECT_MSG_EQ(read.IsValid(), false, "too short");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Pieces in any order and number make the message, and no piece counts twice.
 */
class DpdlReassemblyTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        std::vector<uint8_t> bytes(1000);
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            bytes[i] = static_cast<uint8_t>(7 * i + i / 256);
        }
        constexpr uint32_t PIECE = 64;
        const uint32_t pieces = (1000 + PIECE - 1) / PIECE;
        DpdlReassembly reassembly;
        for (uint32_t trial = 0; trial < 200; ++trial)
        {
            const dpdl::RandomStream draws({1, 1}, dpdl::RandomPurpose::TEST, 1, trial);
            const uint32_t kept = trial % 2 == 0 ? 1000 : 52;
            reassembly.Start({}, pieces, kept);
            std::vector<bool> sent(pieces, false);
            std::size_t distinct = 0;
            for (uint64_t draw = 0; distinct < pieces; ++draw)
            {
                const uint32_t index = draws.Integer(draw, pieces);
                const uint32_t offset = index * PIECE;
                const uint32_t size = std::min(PIECE, 1000 - offset);
                distinct += sent[index] ? 0 : 1;
                const auto expected = sent[index]          ? DpdlReassembly::Piece::DUPLICATE
                                      : distinct == pieces ? DpdlReassembly::Piece::LAST
                                                           : DpdlReassembly::Piece::TAKEN;
                const auto got =
                    reassembly.Take(index, offset, Create<Packet>(bytes.data() + offset, size));
                NS_TEST_ASSERT_MSG_EQ((got == expected), true, "piece " << index);
                sent[index] = true;
            }
            NS_TEST_ASSERT_MSG_EQ(reassembly.Bytes().size(), kept, "kept");
            NS_TEST_ASSERT_MSG_EQ(
                std::equal(bytes.begin(), bytes.begin() + kept, reassembly.Bytes().begin()),
                true,
                "contents");
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A number finds its message and no later one in the same place.
 */
class DpdlMessageTableTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        DpdlMessageTable table;
        DpdlMessageTable::Message& first = table.Add();
        const uint64_t number = first.number;
        NS_TEST_EXPECT_MSG_EQ(table.Find(number), &first, "found");
        NS_TEST_EXPECT_MSG_EQ((table.Find(number + 1) == nullptr), true, "another");
        NS_TEST_EXPECT_MSG_EQ((table.Find(~uint64_t{0}) == nullptr), true, "beyond the table");
        table.Release(first);
        NS_TEST_EXPECT_MSG_EQ((table.Find(number) == nullptr), true, "over");
        NS_TEST_EXPECT_MSG_EQ(table.Size(), 0, "empty");
        DpdlMessageTable::Message& second = table.Add();
        NS_TEST_EXPECT_MSG_EQ(&second, &first, "the place is used again");
        NS_TEST_EXPECT_MSG_EQ((second.number != number), true, "under another number");
        NS_TEST_EXPECT_MSG_EQ((table.Find(number) == nullptr), true, "the first stays over");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Over one link the time of a message is that of its packets, to the nanosecond.
 */
class DpdlUdpTimeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const uint32_t payload : {0U, 4U, 1388U, 1392U, 10000U, 1000000U})
        {
            PacketNetwork network(CreateObject<DpdlUdpTransport>());
            network.Send(0, 1, 0, payload);
            network.Send(0, 1, 1, payload); // behind it
            network.Send(0, 2, 0, payload); // on another link
            Simulator::Run();
            const uint32_t bytes = 52 + payload;
            const uint32_t packets = (bytes + 1439) / 1440;
            const Time once = DataRate("8Mbps").CalculateBytesTxTime(bytes + 62 * packets);
            NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 3, "all arrive");
            const auto at = [&network](uint32_t target, uint32_t round) {
                return network.TimeOf(0, target, round);
            };
            NS_TEST_EXPECT_MSG_EQ_TOL(at(1, 0), once + MilliSeconds(5), NanoSeconds(1), "first");
            NS_TEST_EXPECT_MSG_EQ_TOL(at(1, 1),
                                      once + once + MilliSeconds(5),
                                      NanoSeconds(2),
                                      "second");
            NS_TEST_EXPECT_MSG_EQ_TOL(at(2, 0), once + MilliSeconds(5), NanoSeconds(1), "third");
            NS_TEST_EXPECT_MSG_EQ(network.transport->BytesSent(),
                                  3 * (bytes + 32 * packets),
                                  "bytes");
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Every message has one fate, at any loss, and the last datagram too.
 */
class DpdlUdpFateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const double drop : {0.02, 0.3, 1.0})
        {
            Ptr<DpdlUdpTransport> transport = CreateObject<DpdlUdpTransport>();
            transport->AssignStreams(5);
            PacketNetwork network(transport, true, drop);
            const uint32_t rounds = drop < 0.1 ? 400 : 40;
            for (uint32_t round = 0; round < rounds; ++round)
            {
                network.Send(0, 1, round, 20000);
                network.Send(1, 0, round, 20000);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.arrived.size() + network.dropped.size(),
                                  2 * rounds,
                                  "each once");
            NS_TEST_EXPECT_MSG_EQ(network.Distinct(), 2 * rounds, "each once");
            // 14 packets a message; four deviations of the binomial number of messages lost.
            const double p = 1.0 - std::pow(1.0 - drop, 14.0);
            const double expected = 2.0 * rounds * p;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.dropped.size()),
                                      expected,
                                      4.0 * std::sqrt(expected * (1.0 - p)) + 0.5,
                                      "lost at drop " << drop);
            NS_TEST_EXPECT_MSG_EQ(transport->CorruptPackets(), 0, "corrupt");
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What vanishes unreported counts as lost after the silence, not earlier.
 */
class DpdlUdpSilenceTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlUdpTransport> transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("SilenceTimeout", TimeValue(Seconds(2)));
        PacketNetwork network(transport);
        network.Send(0, 1, 0, 5000);
        network.Send(0, 2, 0, 5000);
        Ptr<ReceiveListErrorModel> list = CreateObject<ReceiveListErrorModel>();
        list->SetList({3}); // the last of four packets
        network.Receiver(0, 1)->SetReceiveErrorModel(list);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "one arrives");
        NS_TEST_ASSERT_MSG_EQ(network.dropped.size(), 1, "one does not");
        NS_TEST_EXPECT_MSG_EQ((network.dropped.front().name == dpdltest::Name(0, 1, 0)),
                              true,
                              "it");
        NS_TEST_EXPECT_MSG_GT(network.dropped.front().at, Seconds(2), "not earlier");
        NS_TEST_EXPECT_MSG_LT(network.dropped.front().at, Seconds(2.6), "nor much later");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What comes after the silence is late, once, and nothing else is.
 */
class DpdlUdpLateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlUdpTransport> transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("SilenceTimeout", TimeValue(MilliSeconds(4)));
        PacketNetwork network(transport);
        for (uint32_t round = 0; round < 100; ++round)
        {
            network.Send(0, 1, round, 2000); // in two packets, each up to 20 ms later
            network.Send(0, 2, round, 2000);
        }
        network.Receiver(0, 1)->SetReceiveErrorModel(
            CreateObject<Mangler>(network.Receiver(0, 1), Mangler::Odds{1.0, 0.2, 0.0}));
        Ptr<ReceiveListErrorModel> list = CreateObject<ReceiveListErrorModel>();
        list->SetList({7});
        network.Receiver(0, 2)->SetReceiveErrorModel(list);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size() + network.dropped.size(), 200, "fates");
        NS_TEST_EXPECT_MSG_EQ(network.Distinct(), 200, "one each");
        NS_TEST_EXPECT_MSG_GT(network.late.size(), 20, "late ones");
        NS_TEST_EXPECT_MSG_EQ(network.late.size(), network.dropped.size() - 1, "but the lost one");
        std::set<dpdltest::Name> names;
        for (const dpdltest::Event& event : network.late)
        {
            names.insert(event.name);
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), network.late.size(), "once each");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What still waits for a device, or travels, is not silent, however long that takes.
 */
class DpdlUdpSlowLinkTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // A packet takes 1.5 ms, all of them 90 ms, and each 5 ms on its way.
        const auto transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("SilenceTimeout", TimeValue(MilliSeconds(4)));
        PacketNetwork network(transport);
        for (uint32_t round = 0; round < 60; ++round)
        {
            network.Send(0, 1, round, 1300);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 60, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 0, "none lost");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Late, doubled and damaged packets: no crash, no wrong message, one fate each.
 */
class DpdlUdpMangledTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const bool real : {false, true})
        {
            const uint32_t sound = Run(real, {0.5, 0.2, 0.0}, 0);
            NS_TEST_EXPECT_MSG_EQ(sound, ROUNDS, "nothing is lost by order and number");
            Run(real, {0.5, 0.2, 0.05}, 1);
        }
    }

    /// Sends ROUNDS messages. @return how many arrive as they were sent
    uint32_t Run(bool real, const Mangler::Odds& odds, uint32_t leastCorrupt)
    {
        Ptr<DpdlUdpTransport> transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("SilenceTimeout", TimeValue(Seconds(1)));
        PacketNetwork network(transport);
        if (real)
        {
            network.UseRealPayload();
        }
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            network.Send(0, 1, round, 7000);
        }
        network.Receiver(0, 1)->SetReceiveErrorModel(
            CreateObject<Mangler>(network.Receiver(0, 1), odds));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size() + network.dropped.size(), ROUNDS, "fates");
        NS_TEST_EXPECT_MSG_EQ(network.Distinct(), ROUNDS, "one each");
        NS_TEST_EXPECT_MSG_EQ(network.wrong, 0, "no wrong contents");
        NS_TEST_EXPECT_MSG_GT(transport->LatePieces(), 10, "duplicates were seen");
        NS_TEST_EXPECT_MSG_EQ((transport->CorruptPackets() >= leastCorrupt),
                              true,
                              "damage is seen");
        const auto sound = std::count_if(network.arrived.begin(),
                                         network.arrived.end(),
                                         [](const auto& arrival) { return arrival.isSound; });
        Simulator::Destroy();
        return static_cast<uint32_t>(sound);
    }

    static constexpr uint32_t ROUNDS = 200; //!< messages
};

const dpdltest::Suite g_dpdlPacketTestSuite(
    "dpdl-packet",
    {new DpdlFragmentHeaderTest("fragment header"),
     new DpdlReassemblyTest("reassembly: any order, duplicates"),
     new DpdlMessageTableTest("message table"),
     new DpdlUdpTimeTest("UDP: serialisation of every packet, and latency"),
     new DpdlUdpFateTest("UDP: one fate a message"),
     new DpdlUdpSilenceTest("UDP: lost by silence"),
     new DpdlUdpLateTest("UDP: late after silence"),
     new DpdlUdpSlowLinkTest("UDP: slow links are not silent"),
     new DpdlUdpMangledTest("UDP: reordering, duplicates, damage")});

} // namespace
