// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message.h"

#include "dpdl/base/wire.h"

#include <utility>

namespace ns3
{

DpdlMessage::DpdlMessage(const ::dpdl::Share& what, std::shared_ptr<DpdlPayload> payload)
    : share(what),
      m_payload(std::move(payload))
{
    if (m_payload && m_payload->IsReal())
    {
        GetPacket();
    }
}

uint32_t
DpdlMessage::GetSize() const
{
    return m_packet ? m_packet->GetSize()
                    : DpdlHeader::SIZE + (m_payload ? m_payload->SizeOf(share) : 0);
}

Ptr<const Packet>
DpdlMessage::GetPacket() const
{
    if (!m_packet && m_payload)
    {
        m_packet = m_payload->Write(share);
    }
    else if (!m_packet)
    {
        const Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(DpdlHeader(share));
        m_packet = packet;
    }
    return m_packet;
}

DpdlPayload::DpdlPayload(const ::dpdl::ChunkLayout& chunks,
                         ::dpdl::Compression compression,
                         ::dpdl::ParameterPool* pool)
    : m_chunks(chunks),
      m_compression(std::move(compression)),
      m_pool(pool)
{
}

uint32_t
DpdlPayload::SizeOf(const ::dpdl::Share& share) const
{
    return share.IsAnnouncement()
               ? 0
               : static_cast<uint32_t>(
                     m_compression.Bytes(m_chunks.Size(share.chunk), share.isCompressed));
}

Ptr<Packet>
DpdlPayload::Write(const ::dpdl::Share& share)
{
    DpdlHeader header(share);
    header.payloadBytes = SizeOf(share);
    Ptr<Packet> packet;
    if (!IsReal() || share.IsAnnouncement())
    {
        packet = Create<Packet>(header.payloadBytes);
    }
    else
    {
        Encode(share);
        packet = m_written->Copy();
        header.payloadChecksum = m_checksum;
    }
    packet->AddHeader(header);
    return packet;
}

void
DpdlPayload::Encode(const ::dpdl::Share& share)
{
    // All shares of a node's round and chunk carry the same parameters, so the last payload is
    // reused.
    if (m_written && m_source == share.source && m_round == share.round && m_chunk == share.chunk)
    {
        return;
    }
    const std::size_t count = m_chunks.Size(share.chunk);
    m_bytes.resize(sizeof(float) * count);
    ::dpdl::EncodeParameters(share.z->Data() + m_chunks.Begin(share.chunk), count, m_bytes.data());
    m_checksum = ::dpdl::Crc32(m_bytes.data(), m_bytes.size());
    m_written = Create<Packet>(m_bytes.data(), static_cast<uint32_t>(m_bytes.size()));
    m_source = share.source;
    m_round = share.round;
    m_chunk = share.chunk;
}

bool
DpdlPayload::Fits(const DpdlHeader& header, const ::dpdl::Share& share, uint32_t bytes) const
{
    if (!header.IsValid() || !header.IsOf(share) || header.payloadBytes != bytes)
    {
        return false;
    }
    if (header.kind == DpdlHeader::Kind::SENSITIVITY)
    {
        return bytes == 0 && header.chunk == ::dpdl::Share::ANNOUNCEMENT;
    }
    return header.chunk < m_chunks.Count() && bytes == SizeOf(share);
}

bool
DpdlPayload::Read(const DpdlMessage& message, ::dpdl::Share& share)
{
    if (!message.HasPacket())
    {
        return true;
    }
    const Ptr<Packet> payload = message.GetPacket()->Copy();
    DpdlHeader header;
    header.TakeFrom(payload);
    if (!Fits(header, message.share, payload->GetSize()))
    {
        return false;
    }
    if (!IsReal() || share.IsAnnouncement())
    {
        return true;
    }
    m_bytes.resize(header.payloadBytes);
    payload->CopyData(m_bytes.data(), header.payloadBytes);
    if (::dpdl::Crc32(m_bytes.data(), m_bytes.size()) != header.payloadChecksum)
    {
        return false;
    }
    share.z = m_pool->Acquire();
    ::dpdl::DecodeParameters(m_bytes.data(),
                             m_chunks.Size(share.chunk),
                             share.z->Data() + m_chunks.Begin(share.chunk));
    return true;
}

} // namespace ns3
