// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-header.h"

#include "dpdl-type.h"
#include "dpdl/base/wire.h"

#include "ns3/buffer.h"

#include <array>
#include <cstring>
#include <iterator>
#include <limits>

// Serializes each header field by field in network byte order; its checksum covers all preceding
// fields.

namespace ns3
{

namespace
{

constexpr uint32_t MAGIC = 0x6470646c; // "dpdl"
constexpr uint8_t VERSION = 2;
constexpr uint32_t CHECKED_SIZE = DpdlHeader::SIZE - 4;

using Bytes = std::array<uint8_t, CHECKED_SIZE>;

/// The value of another type of the same size that has the same bits.
template <typename To, typename From>
To
Recast(From value)
{
    static_assert(sizeof(To) == sizeof(From), "both types have as many bits");
    To result;
    std::memcpy(&result, &value, sizeof(result));
    return result;
}

/// True if mantissa and exponent form a valid push-sum mass: a mantissa in [0.5, 1), or mantissa 0
/// or infinity with exponent 0.
bool
IsMass(double mantissa, int32_t exponent)
{
    const bool isBound = mantissa == 0.0 || mantissa == std::numeric_limits<double>::infinity();
    return (mantissa >= 0.5 && mantissa < 1.0) || (isBound && exponent == 0);
}

using ::dpdl::PutBigEndian;
using ::dpdl::TakeBigEndian;

constexpr uint32_t FRAGMENT_MAGIC = 0x64706672; // "dpfr"
constexpr uint8_t FRAGMENT_VERSION = 1;
constexpr uint32_t FRAGMENT_CHECKED_SIZE = DpdlFragmentHeader::SIZE - 4;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DpdlHeader);

DpdlHeader::DpdlHeader(const ::dpdl::Share& share)
    : chunk(share.chunk),
      round(share.round),
      source(share.source),
      target(share.target),
      weight(share.weight),
      mass(share.mass)
{
    if (share.IsAnnouncement())
    {
        kind = Kind::SENSITIVITY;
    }
    else if (share.IsAnswer())
    {
        kind = Kind::ACKNOWLEDGEMENT;
        payloadChecksum = share.copy & ~::dpdl::Share::ANSWER;
    }
    else if (share.isCompressed)
    {
        kind = Kind::COMPRESSED;
    }
}

bool
DpdlHeader::IsOf(const ::dpdl::Share& share) const
{
    const DpdlHeader sent(share);
    return kind == sent.kind && chunk == sent.chunk && round == sent.round &&
           source == sent.source && target == sent.target && weight == sent.weight &&
           mass == sent.mass;
}

TypeId
DpdlHeader::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlHeader, Header>("ns3::DpdlHeader");
    return tid;
}

void
DpdlHeader::Serialize(Buffer::Iterator start) const
{
    Bytes bytes;
    uint8_t* out = bytes.data();
    ::dpdl::PutBigEndian<uint32_t>(out, MAGIC);
    ::dpdl::PutBigEndian<uint8_t>(out, VERSION);
    ::dpdl::PutBigEndian<uint8_t>(out, static_cast<uint8_t>(kind));
    ::dpdl::PutBigEndian<uint16_t>(out, chunk);
    ::dpdl::PutBigEndian<uint32_t>(out, round);
    ::dpdl::PutBigEndian<uint32_t>(out, source);
    ::dpdl::PutBigEndian<uint32_t>(out, target);
    ::dpdl::PutBigEndian<uint64_t>(out, Recast<uint64_t>(weight));
    ::dpdl::PutBigEndian<uint64_t>(out, Recast<uint64_t>(mass.Mantissa()));
    ::dpdl::PutBigEndian<uint32_t>(out, static_cast<uint32_t>(mass.Exponent()));
    ::dpdl::PutBigEndian<uint32_t>(out, payloadBytes);
    ::dpdl::PutBigEndian<uint32_t>(out, payloadChecksum);
    start.Write(bytes.data(), CHECKED_SIZE);
    start.WriteHtonU32(::dpdl::Crc32(bytes.data(), bytes.size()));
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
    m_valid = ::dpdl::TakeBigEndian<uint32_t>(in) == MAGIC;
    m_valid = ::dpdl::TakeBigEndian<uint8_t>(in) == VERSION && m_valid;
    const auto code = ::dpdl::TakeBigEndian<uint8_t>(in);
    m_valid = code <= static_cast<uint8_t>(Kind::COMPRESSED) && m_valid;
    kind = static_cast<Kind>(code);
    chunk = ::dpdl::TakeBigEndian<uint16_t>(in);
    round = ::dpdl::TakeBigEndian<uint32_t>(in);
    source = ::dpdl::TakeBigEndian<uint32_t>(in);
    target = ::dpdl::TakeBigEndian<uint32_t>(in);
    weight = Recast<double>(::dpdl::TakeBigEndian<uint64_t>(in));
    const double mantissa = Recast<double>(::dpdl::TakeBigEndian<uint64_t>(in));
    const auto exponent = static_cast<int32_t>(::dpdl::TakeBigEndian<uint32_t>(in));
    payloadBytes = ::dpdl::TakeBigEndian<uint32_t>(in);
    payloadChecksum = ::dpdl::TakeBigEndian<uint32_t>(in);
    m_valid = start.ReadNtohU32() == ::dpdl::Crc32(bytes.data(), bytes.size()) && m_valid;
    m_valid = IsMass(mantissa, exponent) && m_valid;
    if (m_valid)
    {
        mass = ::dpdl::ScaledDouble::FromParts(mantissa, exponent);
    }
    return SIZE;
}

void
DpdlHeader::Print(std::ostream& os) const
{
    static const char* const NAMES[] = {"share",
                                        "acknowledgement",
                                        "sensitivity",
                                        "compressed share"};
    // A damaged header may hold any code.
    const auto code = static_cast<std::size_t>(kind);
    os << (code < std::size(NAMES) ? NAMES[code] : "unknown") << " chunk=" << chunk
       << " round=" << round << " source=" << source << " target=" << target << " weight=" << weight
       << " mass=" << mass.ToDouble() << " payload=" << payloadBytes;
}

NS_OBJECT_ENSURE_REGISTERED(DpdlFragmentHeader);

TypeId
DpdlFragmentHeader::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlFragmentHeader, Header>("ns3::DpdlFragmentHeader");
    return tid;
}

void
DpdlFragmentHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, SIZE> bytes;
    uint8_t* out = bytes.data();
    PutBigEndian<uint32_t>(out, FRAGMENT_MAGIC);
    PutBigEndian<uint8_t>(out, FRAGMENT_VERSION);
    PutBigEndian<uint8_t>(out, 0);
    PutBigEndian<uint16_t>(out, copies);
    PutBigEndian<uint64_t>(out, number);
    PutBigEndian<uint32_t>(out, index);
    PutBigEndian<uint32_t>(out, count);
    PutBigEndian<uint32_t>(out, size);
    PutBigEndian<uint32_t>(out, ::dpdl::Crc32(bytes.data(), FRAGMENT_CHECKED_SIZE));
    start.Write(bytes.data(), SIZE);
}

uint32_t
DpdlFragmentHeader::Deserialize(Buffer::Iterator start)
{
    m_valid = start.GetRemainingSize() >= SIZE;
    if (!m_valid)
    {
        return 0;
    }
    std::array<uint8_t, SIZE> bytes;
    start.Read(bytes.data(), SIZE);
    Read(bytes.data());
    return SIZE;
}

void
DpdlFragmentHeader::Read(const uint8_t* bytes)
{
    const uint8_t* in = bytes;
    m_valid = TakeBigEndian<uint32_t>(in) == FRAGMENT_MAGIC;
    m_valid = TakeBigEndian<uint8_t>(in) == FRAGMENT_VERSION && m_valid;
    m_valid = TakeBigEndian<uint8_t>(in) == 0 && m_valid;
    copies = TakeBigEndian<uint16_t>(in);
    number = TakeBigEndian<uint64_t>(in);
    index = TakeBigEndian<uint32_t>(in);
    count = TakeBigEndian<uint32_t>(in);
    size = TakeBigEndian<uint32_t>(in);
    m_valid = m_valid && TakeBigEndian<uint32_t>(in) == ::dpdl::Crc32(bytes, FRAGMENT_CHECKED_SIZE);
}

void
DpdlFragmentHeader::Print(std::ostream& os) const
{
    os << "message=" << number << " piece=" << index << "/" << count << " size=" << size
       << " copies=" << copies;
}

} // namespace ns3
