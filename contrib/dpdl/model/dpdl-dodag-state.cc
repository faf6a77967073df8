// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-dodag-state.h"

#include "dpdl/base/wire.h"

#include <algorithm>
#include <array>

// The protocol logic without timers and sockets: it consumes DIOs, DAOs and link-layer results,
// and chooses the parent.

namespace ns3
{

namespace
{

/// Maximum number of targets of one DAO, which limits its size to 525 bytes. A node sends further
/// targets in its next turn.
constexpr std::size_t MOST_TARGETS = 20;

constexpr std::size_t ADDRESS_BYTES = 16;
constexpr std::size_t DIO_BYTES = 25;
constexpr std::size_t DAO_BYTES = 5;
constexpr std::size_t TARGET_BYTES = 26;

/// First bytes of option "RPL target": type 5, length 18, flags 0, prefix length 128 bits. Then
/// TRANSIT_OPTION, the first bytes of option "transit information": type 6, length 4.
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

void
DpdlDodagState::Begin(const Ipv6Address& self, bool isRoot)
{
    m_self = self;
    m_isRoot = isRoot;
    m_rank = isRoot ? ROOT_RANK : INFINITE_RANK;
    m_root = isRoot ? self : m_root;
}

void
DpdlDodagState::BeginVersion()
{
    ++m_version;
    m_change.isNews = true;
}

DpdlDodagMessage
DpdlDodagState::Dio() const
{
    DpdlDodagMessage dio;
    dio.version = m_version;
    dio.rank = m_rank;
    dio.requests = m_requests;
    dio.root = m_root;
    return dio;
}

DpdlDodagMessage
DpdlDodagState::TakeDao()
{
    DpdlDodagMessage dao;
    dao.code = DpdlDodagMessage::Code::DAO;
    while (HasParent() && !m_untold.empty() && dao.targets.size() < MOST_TARGETS)
    {
        const Ipv6Address target = *m_untold.begin();
        dao.targets.push_back({target, target == m_self ? m_sequence : m_targets[target].sequence});
        m_untold.erase(m_untold.begin());
    }
    return dao;
}

void
DpdlDodagState::TakeDio(const Ipv6Address& from, const DpdlDodagMessage& dio)
{
    const bool isLost = dio.rank == INFINITE_RANK;
    if (dio.version < m_version || (isLost && m_rank != INFINITE_RANK))
    {
        m_change.isNews = true; // the sender of the DIO has an old version or no parent
    }
    if (m_isRoot)
    {
        return;
    }
    const bool isAsked = from == m_parent && m_heard[from].requests != dio.requests;
    m_heard[from] = {dio.version, dio.rank, dio.requests, 0};
    const bool isNewer = dio.version > m_version && !isLost;
    if (isNewer)
    {
        m_version = dio.version;
        m_root = dio.root;
        m_leastRank = INFINITE_RANK;
    }
    if (isNewer || isAsked)
    {
        AskForDaos();
    }
    ChooseParent();
}

void
DpdlDodagState::TakeDao(const Ipv6Address& from, const DpdlDodagMessage& dao)
{
    for (const DpdlDodagMessage::Target& target : dao.targets)
    {
        const auto known = m_targets.find(target.address);
        const bool isNews = known == m_targets.end() || target.sequence > known->second.sequence;
        if (isNews && target.address != m_self)
        {
            m_targets[target.address] = {from, target.sequence};
            m_untold.insert(target.address);
            m_change.isRoute = true;
        }
    }
}

void
DpdlDodagState::NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged, uint32_t most)
{
    const auto found = m_heard.find(neighbour);
    if (found == m_heard.end())
    {
        return;
    }
    found->second.lost = isAcknowledged ? 0 : found->second.lost + 1;
    if (found->second.lost >= most)
    {
        m_heard.erase(found);
        ChooseParent();
    }
}

void
DpdlDodagState::ChooseParent()
{
    Ipv6Address best;
    uint16_t least = m_leastRank;
    for (const auto& [address, heard] : m_heard)
    {
        const bool isBetter = heard.rank < least || (heard.rank == least && address == m_parent);
        if (heard.version == m_version && heard.rank < m_leastRank && isBetter)
        {
            best = address;
            least = heard.rank;
        }
    }
    const bool hasParent = best.IsLinkLocal();
    const uint16_t rank = hasParent ? static_cast<uint16_t>(least + 1) : INFINITE_RANK;
    if (rank != m_rank)
    {
        m_rank = rank;
        m_leastRank = std::min(m_leastRank, rank);
        m_change.isNews = true;
    }
    if (best != m_parent)
    {
        m_parent = best;
        m_change.isRoute = true;
        hasParent ? AskForDaos() : void();
    }
}

void
DpdlDodagState::AskForDaos()
{
    ++m_sequence;
    m_untold.insert(m_self);
    ++m_requests;
    m_change.isNews = true;
}

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
