// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl/base/random.h"
#include "dpdl/base/wire.h"
#include "dpdl/experiment/experiment.h"

#include "ns3/dpdl-header.h"
#include "ns3/packet.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

using namespace ns3;

/**
 * @defgroup dpdl-tests Tests of the module dpdl
 * @ingroup dpdl
 * @ingroup tests
 */

namespace
{

const dpdl::RandomSeed SEED{1, 1};

/// Numbers for a case. @param number of the case
dpdl::RandomStream
Draws(uint32_t number)
{
    return {SEED, dpdl::RandomPurpose::TEST, 0, number};
}

/// A header with every field drawn, the mass from all magnitudes that a long run can reach.
DpdlHeader
RandomHeader(uint32_t number)
{
    const dpdl::RandomStream draws = Draws(number);
    DpdlHeader header;
    header.kind = static_cast<DpdlHeader::Kind>(draws.Integer(13, 2));
    header.chunk = static_cast<uint16_t>(draws.Word(5));
    header.round = draws.Word(0);
    header.source = draws.Word(1);
    header.target = draws.Word(2);
    header.weight = draws.Uniform(10);
    const auto exponent = static_cast<int32_t>(draws.Integer(11, 20000)) - 19000;
    header.mass = dpdl::ScaledDouble::FromParts(0.5 + draws.Uniform(12) / 2, exponent);
    header.payloadBytes = draws.Word(3);
    header.payloadChecksum = draws.Word(4);
    return header;
}

/// The bytes of a header.
std::vector<uint8_t>
BytesOf(const DpdlHeader& header)
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/// The header that the bytes give.
DpdlHeader
Read(const std::vector<uint8_t>& bytes)
{
    Ptr<Packet> packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    DpdlHeader header;
    packet->PeekHeader(header);
    return header;
}

/**
 * @ingroup dpdl-tests
 * @brief What is written is what is read, in front of a payload too.
 */
class DpdlHeaderRoundTripTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (uint32_t number = 0; number < 1000; ++number)
        {
            Check(RandomHeader(number));
        }
        DpdlHeader header;
        header.weight = std::numeric_limits<double>::denorm_min();
        Check(header);
        header.mass = dpdl::ScaledDouble::FromParts(0.5, -100000);
        NS_TEST_EXPECT_MSG_EQ(header.mass.ToDouble(), 0.0, "beyond the range of a double");
        Check(header);
    }

    /// @param header is written and read
    void Check(const DpdlHeader& header)
    {
        const uint32_t payload = 4 * (header.source % 50);
        Ptr<Packet> packet = Create<Packet>(payload);
        packet->AddHeader(header);
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), 52 + payload, "size on the wire");
        DpdlHeader read;
        NS_TEST_ASSERT_MSG_EQ(packet->RemoveHeader(read), 52, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), payload, "the payload stays");
        NS_TEST_EXPECT_MSG_EQ(read.IsValid(), true, "valid");
        NS_TEST_EXPECT_MSG_EQ((read.kind == header.kind), true, "kind");
        NS_TEST_EXPECT_MSG_EQ(read.chunk, header.chunk, "chunk");
        NS_TEST_EXPECT_MSG_EQ(read.round, header.round, "round");
        NS_TEST_EXPECT_MSG_EQ(read.source, header.source, "source");
        NS_TEST_EXPECT_MSG_EQ(read.target, header.target, "target");
        NS_TEST_EXPECT_MSG_EQ(read.weight, header.weight, "weight");
        NS_TEST_EXPECT_MSG_EQ((read.mass == header.mass), true, "mass, bit for bit");
        NS_TEST_EXPECT_MSG_EQ(read.payloadBytes, header.payloadBytes, "payload size");
        NS_TEST_EXPECT_MSG_EQ(read.payloadChecksum, header.payloadChecksum, "payload checksum");
        std::ostringstream a;
        std::ostringstream b;
        header.Print(a);
        read.Print(b);
        NS_TEST_EXPECT_MSG_EQ(a.str(), b.str(), "printed alike");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief The size is the one that the core accounts for, and the layout is big-endian.
 */
class DpdlHeaderLayoutTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        DpdlHeader header;
        NS_TEST_EXPECT_MSG_EQ(header.GetSerializedSize(), 52, "size");
        NS_TEST_EXPECT_MSG_EQ(header.GetSerializedSize(),
                              dpdl::MESSAGE_HEADER_BYTES,
                              "size in the core");
        header.kind = DpdlHeader::Kind::ACKNOWLEDGEMENT;
        header.chunk = 0x0809;
        header.round = 0x01020304;
        header.source = 5;
        header.target = 0x06000007;
        header.weight = 1.0;
        header.mass = dpdl::ScaledDouble(2.0); // 0.5 * 2^2
        header.payloadBytes = 0x0b0c0d0e;
        header.payloadChecksum = 0xa1a2a3a4;
        const std::vector<uint8_t> expected{
            'd', 'p', 'd', 'l', 2,    1,    8, 9, 1,    2,    3,    4,    0,    0,    0,    5,
            6,   0,   0,   7,   0x3f, 0xf0, 0, 0, 0,    0,    0,    0,    0x3f, 0xe0, 0,    0,
            0,   0,   0,   0,   0,    0,    0, 2, 0x0b, 0x0c, 0x0d, 0x0e, 0xa1, 0xa2, 0xa3, 0xa4};
        std::vector<uint8_t> bytes = BytesOf(header);
        bytes.resize(48);
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes before the checksum");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief No damage passes: one byte changed in any way, or the end missing.
 */
class DpdlHeaderDamageTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::vector<uint8_t> good = BytesOf(RandomHeader(7));
        NS_TEST_ASSERT_MSG_EQ(Read(good).IsValid(), true, "undamaged");
        for (std::size_t i = 0; i < good.size(); ++i)
        {
            for (int change = 1; change < 256; ++change)
            {
                std::vector<uint8_t> bytes = good;
                bytes[i] = static_cast<uint8_t>(bytes[i] ^ change);
                NS_TEST_ASSERT_MSG_EQ(Read(bytes).IsValid(), false, "byte " << i);
            }
        }
        for (std::size_t size = 0; size < good.size(); ++size)
        {
            const std::vector<uint8_t> bytes(good.begin(), good.begin() + size);
            Ptr<Packet> packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(size));
            DpdlHeader header;
            NS_TEST_EXPECT_MSG_EQ(packet->PeekHeader(header), 0, "nothing read of " << size);
            NS_TEST_EXPECT_MSG_EQ(header.IsValid(), false, "bytes: " << size);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A header with a right checksum whose mass no sender writes is invalid: a mantissa that is
 *        not normalised would overflow the exponent.
 */
class DpdlHeaderForgedMassTest : public dpdltest::Case
{
    using Case::Case;

    static bool IsValid(uint64_t mantissa, uint32_t exponent)
    {
        std::vector<uint8_t> bytes = BytesOf(RandomHeader(7));
        uint8_t* mass = bytes.data() + 28;
        dpdl::PutBigEndian<uint64_t>(mass, mantissa);
        dpdl::PutBigEndian<uint32_t>(mass, exponent);
        uint8_t* checksum = bytes.data() + DpdlHeader::SIZE - 4;
        dpdl::PutBigEndian<uint32_t>(checksum, dpdl::Crc32(bytes.data(), DpdlHeader::SIZE - 4));
        return Read(bytes).IsValid();
    }

    void DoRun() override
    {
        constexpr uint64_t half = 0x3fe0000000000000;
        constexpr uint64_t one = 0x3ff0000000000000;
        constexpr uint64_t infinite = 0x7ff0000000000000;
        constexpr uint32_t lowest = 0x80000000;
        NS_TEST_EXPECT_MSG_EQ(IsValid(half, lowest), true, "0.5");
        NS_TEST_EXPECT_MSG_EQ(IsValid(one - 1, 0), true, "below 1");
        NS_TEST_EXPECT_MSG_EQ(IsValid(0, 0), true, "0");
        NS_TEST_EXPECT_MSG_EQ(IsValid(infinite, 0), true, "infinity");
        NS_TEST_EXPECT_MSG_EQ(IsValid(half - 1, lowest), false, "below 0.5");
        NS_TEST_EXPECT_MSG_EQ(IsValid(one, 0), false, "1");
        NS_TEST_EXPECT_MSG_EQ(IsValid(half | (1ULL << 63), 0), false, "negative");
        NS_TEST_EXPECT_MSG_EQ(IsValid(0, 1), false, "0 with an exponent");
        NS_TEST_EXPECT_MSG_EQ(IsValid(infinite + 1, 0), false, "no number");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Whatever bytes come, reading them neither crashes nor believes them.
 */
class DpdlHeaderFuzzTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (uint32_t number = 0; number < 10000; ++number)
        {
            const dpdl::RandomStream draws = Draws(number);
            std::vector<uint8_t> bytes(draws.Integer(0, 120));
            for (std::size_t i = 0; i < bytes.size(); ++i)
            {
                bytes[i] = static_cast<uint8_t>(draws.Word(1 + i));
            }
            const std::vector<uint8_t> start{'d', 'p', 'd', 'l', 2};
            if (number % 2 == 0)
            {
                std::copy_n(start.begin(), std::min(bytes.size(), start.size()), bytes.begin());
            }
            const DpdlHeader header = Read(bytes);
            NS_TEST_ASSERT_MSG_EQ(header.IsValid(), false, "buffer " << number);
            std::ostringstream os;
            header.Print(os);
            NS_TEST_EXPECT_MSG_EQ(os.str().empty(), false, "printable");
        }
    }
};

const dpdltest::Suite g_dpdlHeaderTestSuite(
    "dpdl-header",
    {new DpdlHeaderRoundTripTest("round trip"),
     new DpdlHeaderLayoutTest("size and layout"),
     new DpdlHeaderDamageTest("damaged headers are invalid"),
     new DpdlHeaderForgedMassTest("masses that no sender writes are invalid"),
     new DpdlHeaderFuzzTest("random bytes")});

} // namespace
