// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-header.h"

#include "ns3/buffer.h"

#include <array>
#include <boost/crc.hpp>
#include <cstring>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlHeader);

namespace
{

constexpr uint32_t MAGIC = 0x6470646c; // "dpdl"
constexpr uint8_t VERSION = 1;
constexpr uint32_t SIZE = 52;
constexpr uint32_t CHECKED_SIZE = SIZE - 4;

using Bytes = std::array<uint8_t, CHECKED_SIZE>;

/// CRC-32 of IEEE 802.3.
uint32_t
Checksum(const Bytes& bytes)
{
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

/// Appends @p value in network byte order.
template <typename T>
void
Put(uint8_t*& out, T value)
{
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8)
    {
        *out++ = static_cast<uint8_t>(value >> shift);
    }
}

/// Reads a value in network byte order.
template <typename T>
T
Take(const uint8_t*& in)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value = static_cast<T>(value << 8) | *in++;
    }
    return value;
}

uint64_t
BitsOf(double value)
{
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

double
DoubleOf(uint64_t bits)
{
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

} // namespace

TypeId
DpdlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlHeader>();
    return tid;
}

TypeId
DpdlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
DpdlHeader::GetSerializedSize() const
{
    return SIZE;
}

void
DpdlHeader::Serialize(Buffer::Iterator start) const
{
    Bytes bytes;
    uint8_t* out = bytes.data();
    Put<uint32_t>(out, MAGIC);
    Put<uint8_t>(out, VERSION);
    Put<uint8_t>(out, static_cast<uint8_t>(kind));
    Put<uint16_t>(out, chunk);
    Put<uint32_t>(out, round);
    Put<uint32_t>(out, source);
    Put<uint32_t>(out, target);
    Put<uint64_t>(out, BitsOf(weight));
    Put<uint64_t>(out, BitsOf(mass.Mantissa()));
    Put<uint32_t>(out, static_cast<uint32_t>(mass.Exponent()));
    Put<uint64_t>(out, payloadBytes);
    start.Write(bytes.data(), CHECKED_SIZE);
    start.WriteHtonU32(Checksum(bytes));
}

uint32_t
DpdlHeader::Deserialize(Buffer::Iterator start)
{
    m_valid = start.GetRemainingSize() >= SIZE;
    if (!m_valid)
    {
        return 0;
    }
    Bytes bytes;
    start.Read(bytes.data(), CHECKED_SIZE);
    const uint8_t* in = bytes.data();
    m_valid = Take<uint32_t>(in) == MAGIC;
    m_valid = Take<uint8_t>(in) == VERSION && m_valid;
    const auto code = Take<uint8_t>(in);
    m_valid = code <= static_cast<uint8_t>(Kind::ACKNOWLEDGEMENT) && m_valid;
    kind = static_cast<Kind>(code);
    chunk = Take<uint16_t>(in);
    round = Take<uint32_t>(in);
    source = Take<uint32_t>(in);
    target = Take<uint32_t>(in);
    weight = DoubleOf(Take<uint64_t>(in));
    const double mantissa = DoubleOf(Take<uint64_t>(in));
    const auto exponent = static_cast<int32_t>(Take<uint32_t>(in));
    payloadBytes = Take<uint64_t>(in);
    m_valid = start.ReadNtohU32() == Checksum(bytes) && m_valid;
    if (m_valid)
    {
        mass = ::dpdl::ScaledDouble::FromParts(mantissa, exponent);
    }
    return SIZE;
}

void
DpdlHeader::Print(std::ostream& os) const
{
    os << (kind == Kind::SHARE ? "share" : "acknowledgement") << " chunk=" << chunk
       << " round=" << round << " source=" << source << " target=" << target << " weight=" << weight
       << " mass=" << mass.ToDouble() << " payload=" << payloadBytes;
}

bool
DpdlHeader::IsValid() const
{
    return m_valid;
}

} // namespace ns3
