// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-fragment-header.h"

#include "dpdl/base/wire.h"

#include "ns3/buffer.h"

#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlFragmentHeader);

namespace
{

using ::dpdl::PutBigEndian;
using ::dpdl::TakeBigEndian;

constexpr uint32_t FRAGMENT_MAGIC = 0x64706672; // "dpfr"
constexpr uint8_t FRAGMENT_VERSION = 1;
constexpr uint32_t FRAGMENT_CHECKED_SIZE = DpdlFragmentHeader::SIZE - 4;

} // namespace

TypeId
DpdlFragmentHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlFragmentHeader")
                            .SetParent<Header>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlFragmentHeader>();
    return tid;
}

TypeId
DpdlFragmentHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
DpdlFragmentHeader::GetSerializedSize() const
{
    return SIZE;
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

bool
DpdlFragmentHeader::IsValid() const
{
    return m_valid;
}

} // namespace ns3
