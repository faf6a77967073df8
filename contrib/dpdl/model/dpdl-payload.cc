// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-payload.h"

#include "dpdl/base/wire.h"

namespace ns3
{

DpdlPayload::DpdlPayload(::dpdl::ParameterPool* pool)
    : m_pool(pool)
{
}

Ptr<Packet>
DpdlPayload::Write(const ::dpdl::Share& share,
                   const ::dpdl::ChunkLayout& chunks,
                   DpdlHeader& header)
{
    header.payloadBytes = share.IsAnnouncement()
                              ? 0
                              : static_cast<uint32_t>(sizeof(float) * chunks.Size(share.chunk));
    Ptr<Packet> packet;
    if (m_pool == nullptr || share.IsAnnouncement())
    {
        packet = Create<Packet>(header.payloadBytes);
    }
    else
    {
        Encode(share, chunks);
        packet = m_written->Copy();
        header.payloadChecksum = m_checksum;
    }
    packet->AddHeader(header);
    return packet;
}

void
DpdlPayload::Encode(const ::dpdl::Share& share, const ::dpdl::ChunkLayout& chunks)
{
    // All shares of a node's round and chunk carry the same parameters.
    if (m_written && m_source == share.source && m_round == share.round && m_chunk == share.chunk)
    {
        return;
    }
    const std::size_t count = chunks.Size(share.chunk);
    m_bytes.resize(sizeof(float) * count);
    ::dpdl::EncodeParameters(share.z->Data() + chunks.Begin(share.chunk), count, m_bytes.data());
    m_checksum = ::dpdl::Crc32(m_bytes.data(), m_bytes.size());
    m_written = Create<Packet>(m_bytes.data(), static_cast<uint32_t>(m_bytes.size()));
    m_source = share.source;
    m_round = share.round;
    m_chunk = share.chunk;
}

bool
DpdlPayload::Read(Ptr<const Packet> packet,
                  const ::dpdl::ChunkLayout& chunks,
                  const DpdlHeader& header,
                  ::dpdl::Share& share)
{
    if (packet->GetSize() != header.payloadBytes)
    {
        return false;
    }
    if (m_pool == nullptr || header.kind == DpdlHeader::Kind::SENSITIVITY)
    {
        return true;
    }
    const std::size_t count = chunks.Size(header.chunk);
    if (header.payloadBytes != sizeof(float) * count)
    {
        return false;
    }
    m_bytes.resize(header.payloadBytes);
    packet->CopyData(m_bytes.data(), header.payloadBytes);
    if (::dpdl::Crc32(m_bytes.data(), m_bytes.size()) != header.payloadChecksum)
    {
        return false;
    }
    share.z = m_pool->Acquire();
    ::dpdl::DecodeParameters(m_bytes.data(), count, share.z->Data() + chunks.Begin(header.chunk));
    return true;
}

} // namespace ns3
