// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-stream-reader.h"

#include <algorithm>

namespace ns3
{

void
DpdlStreamReader::Keep(uint32_t bytes)
{
    m_bytes.resize(std::min(m_header.size, bytes));
}

DpdlStreamReader::Progress
DpdlStreamReader::Take(Ptr<Packet> packet)
{
    return m_head.size() < DpdlFragmentHeader::SIZE ? TakeHead(packet) : TakeBody(packet);
}

DpdlStreamReader::Progress
DpdlStreamReader::TakeHead(Ptr<Packet> packet)
{
    const auto had = static_cast<uint32_t>(m_head.size());
    const uint32_t taken = std::min(DpdlFragmentHeader::SIZE - had, packet->GetSize());
    m_head.resize(had + taken);
    packet->CopyData(m_head.data() + had, taken);
    packet->RemoveAtStart(taken);
    if (m_head.size() < DpdlFragmentHeader::SIZE)
    {
        return Progress::PART;
    }
    m_header.Read(m_head.data());
    if (!m_header.IsValid() || m_header.count != 1 || m_header.index != 0 || m_header.copies != 1)
    {
        return Progress::BROKEN;
    }
    m_received = 0;
    return Progress::START;
}

DpdlStreamReader::Progress
DpdlStreamReader::TakeBody(Ptr<Packet> packet)
{
    const uint32_t taken = std::min(m_header.size - m_received, packet->GetSize());
    if (m_received < m_bytes.size())
    {
        const auto room = static_cast<uint32_t>(m_bytes.size() - m_received);
        packet->CopyData(m_bytes.data() + m_received, std::min(room, taken));
    }
    packet->RemoveAtStart(taken);
    m_received += taken;
    if (m_received < m_header.size)
    {
        return Progress::PART;
    }
    m_head.clear();
    return Progress::MESSAGE;
}

} // namespace ns3
