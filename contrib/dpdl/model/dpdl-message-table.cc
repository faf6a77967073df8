// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-table.h"

#include "ns3/simulator.h"

#include <algorithm>

// Slots are reused. The low 32 bits of a message id are the index of the slot, the high 32 bits the
// number of messages that the slot has held.

namespace ns3
{

void
DpdlReassembly::Start(const ::dpdl::Share& newShare, uint32_t pieces, uint32_t keptBytes)
{
    share = newShare;
    decided = false;
    loss.reset();
    m_has.assign(pieces, false);
    m_missing = pieces;
    m_bytes.resize(keptBytes);
}

DpdlReassembly::Piece
DpdlReassembly::Take(uint32_t index, uint32_t offset, Ptr<const Packet> payload)
{
    if (m_has[index])
    {
        return Piece::DUPLICATE;
    }
    m_has[index] = true;
    if (offset < m_bytes.size())
    {
        const auto room = static_cast<uint32_t>(m_bytes.size() - offset);
        payload->CopyData(m_bytes.data() + offset, std::min(room, payload->GetSize()));
    }
    --m_missing;
    return m_missing == 0 ? Piece::LAST : Piece::TAKEN;
}

void
DpdlMessageTable::Message::Start(const std::vector<DpdlMessage>& messages,
                                 Ptr<const Packet> whole,
                                 uint32_t largest,
                                 bool keepsPayload)
{
    packet = whole;
    pieceBytes = largest;
    size = whole->GetSize();
    pieces = (size + pieceBytes - 1) / pieceBytes;
    receivers = static_cast<uint32_t>(messages.size());
    undecided = receivers;
    isLeaving = true;
    isGivenUp = false;
    heard = Simulator::Now();
    from = Address();
    copies.resize(std::max(copies.size(), messages.size()));
    for (uint32_t i = 0; i < receivers; ++i)
    {
        copies[i].Start(messages[i].share, pieces, keepsPayload ? size : HeaderBytes());
    }
}

std::vector<uint8_t>
DpdlMessageTable::Message::OwnBytes(uint32_t place) const
{
    const std::vector<uint8_t>& bytes = copies[place].Bytes();
    const uint32_t begin = place * DpdlHeader::SIZE;
    std::vector<uint8_t> own(bytes.begin() + begin,
                             bytes.begin() + std::min(HeaderBytes(), begin + DpdlHeader::SIZE));
    own.insert(own.end(), bytes.begin() + HeaderBytes(), bytes.end());
    return own;
}

DpdlFragmentHeader
DpdlMessageTable::Message::HeaderOf(uint32_t index) const
{
    DpdlFragmentHeader header;
    header.copies = static_cast<uint16_t>(receivers);
    header.number = number;
    header.index = index;
    header.count = pieces;
    header.size = size;
    return header;
}

bool
DpdlMessageTable::Message::Fits(const DpdlFragmentHeader& header, uint32_t bytes) const
{
    return header.copies == receivers && header.count == pieces && header.index < pieces &&
           header.size == size && bytes == SizeOf(header.index);
}

DpdlMessageTable::Message&
DpdlMessageTable::Add()
{
    const uint32_t place = m_numbers.Acquire();
    if (place == m_slots.size())
    {
        m_slots.emplace_back();
    }
    Slot& slot = m_slots[place];
    slot.used = true;
    ++slot.uses;
    slot.message.number = (static_cast<uint64_t>(slot.uses) << 32) | place;
    slot.message.released = 0;
    return slot.message;
}

DpdlMessageTable::Message*
DpdlMessageTable::Find(uint64_t number)
{
    const auto place = static_cast<uint32_t>(number);
    if (place >= m_slots.size() || !m_slots[place].used || m_slots[place].message.number != number)
    {
        return nullptr;
    }
    return &m_slots[place].message;
}

bool
DpdlMessageTable::IsOver(uint64_t number) const
{
    const auto place = static_cast<uint32_t>(number);
    const auto use = static_cast<uint32_t>(number >> 32);
    if (place >= m_slots.size() || use == 0)
    {
        return false;
    }
    const Slot& slot = m_slots[place];
    return use < slot.uses || (use == slot.uses && !slot.used);
}

void
DpdlMessageTable::Release(Message& message)
{
    const auto place = static_cast<uint32_t>(message.number);
    message.packet = nullptr;
    for (uint32_t i = 0; i < message.receivers; ++i)
    {
        message.copies[i].share = ::dpdl::Share();
    }
    m_slots[place].used = false;
    m_numbers.Release(place);
}

std::vector<uint64_t>
DpdlMessageTable::Numbers() const
{
    std::vector<uint64_t> numbers;
    for (const Slot& slot : m_slots)
    {
        if (slot.used)
        {
            numbers.push_back(slot.message.number);
        }
    }
    return numbers;
}

void
DpdlMessageTable::Clear()
{
    m_slots.clear();
    m_numbers.Clear();
}

} // namespace ns3
