// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-dodag-message.h"

#include "dpdl/base/wire.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

constexpr std::size_t ADDRESS_BYTES = 16;
constexpr std::size_t DIO_BYTES = 25;
constexpr std::size_t DAO_BYTES = 5;
constexpr std::size_t TARGET_BYTES = 26;

/// First bytes of the two options of a target: type, length, flags; prefix length in bits.
constexpr uint32_t TARGET_OPTION = 0x05120080;
constexpr uint16_t TRANSIT_OPTION = 0x0604;

void
PutAddress(uint8_t*& out, const Ipv6Address& address)
{
    address.GetBytes(out);
    out += ADDRESS_BYTES;
}

Ipv6Address
TakeAddress(const uint8_t*& in)
{
    std::array<uint8_t, ADDRESS_BYTES> bytes{};
    std::copy_n(in, ADDRESS_BYTES, bytes.begin());
    in += ADDRESS_BYTES;
    return Ipv6Address(bytes.data());
}

} // namespace

Ptr<Packet>
DpdlDodagMessage::Write() const
{
    const bool isDio = code == Code::DIO;
    std::vector<uint8_t> bytes(isDio ? DIO_BYTES : DAO_BYTES + TARGET_BYTES * targets.size());
    uint8_t* out = bytes.data();
    ::dpdl::PutBigEndian(out, static_cast<uint8_t>(code));
    if (isDio)
    {
        ::dpdl::PutBigEndian(out, version);
        ::dpdl::PutBigEndian(out, rank);
        ::dpdl::PutBigEndian(out, requests);
        ::dpdl::PutBigEndian(out, uint8_t{0});
        PutAddress(out, root);
    }
    else
    {
        ::dpdl::PutBigEndian(out, uint32_t{0});
    }
    for (std::size_t i = 0; !isDio && i < targets.size(); ++i)
    {
        ::dpdl::PutBigEndian(out, TARGET_OPTION);
        PutAddress(out, targets[i].address);
        ::dpdl::PutBigEndian(out, TRANSIT_OPTION);
        ::dpdl::PutBigEndian(out, targets[i].sequence);
    }
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

std::optional<DpdlDodagMessage>
DpdlDodagMessage::Read(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    const bool isDio = bytes.size() == DIO_BYTES && bytes[0] == static_cast<uint8_t>(Code::DIO);
    const bool isDao = bytes.size() >= DAO_BYTES && bytes[0] == static_cast<uint8_t>(Code::DAO) &&
                       (bytes.size() - DAO_BYTES) % TARGET_BYTES == 0;
    if (!isDio && !isDao)
    {
        return std::nullopt;
    }
    DpdlDodagMessage message;
    message.code = isDio ? Code::DIO : Code::DAO;
    const uint8_t* in = bytes.data() + 1;
    if (isDio)
    {
        message.version = ::dpdl::TakeBigEndian<uint32_t>(in);
        message.rank = ::dpdl::TakeBigEndian<uint16_t>(in);
        message.requests = ::dpdl::TakeBigEndian<uint8_t>(in);
        ++in;
        message.root = TakeAddress(in);
        return message;
    }
    message.targets.resize((bytes.size() - DAO_BYTES) / TARGET_BYTES);
    in += DAO_BYTES - 1;
    for (Target& target : message.targets)
    {
        in += sizeof(TARGET_OPTION);
        target.address = TakeAddress(in);
        in += sizeof(TRANSIT_OPTION);
        target.sequence = ::dpdl::TakeBigEndian<uint32_t>(in);
    }
    return message;
}

} // namespace ns3
