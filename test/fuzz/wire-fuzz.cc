// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Fuzz target of what nodes receive: headers, pieces of messages in datagrams, and streams. Bytes
 * that are no part of a message are refused, and no order or cut of the others changes a message.
 * Checksums are put right where the input asks for it, or nothing behind them would be reached.
 *
 * usage: DPDL_PARSER=NAME wire-fuzz [libFuzzer options] [CORPUS]
 */

#include "dpdl-header.h"
#include "dpdl-message-table.h"
#include "dpdl-stream-reader.h"
#include "dpdl/base/wire.h"
#include "parsers.h"

#include "ns3/packet.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Bytes = std::vector<uint8_t>;

/// Takes numbers and bytes off the front of the input; zeros behind its end.
class Input
{
  public:
    explicit Input(const std::string& bytes)
        : m_bytes(bytes.begin(), bytes.end())
    {
    }

    bool IsEmpty() const
    {
        return m_next >= m_bytes.size();
    }

    uint8_t Number()
    {
        return IsEmpty() ? 0 : m_bytes[m_next++];
    }

    Bytes Take(std::size_t count)
    {
        Bytes taken(count);
        const std::size_t there =
            std::min(count, m_bytes.size() - std::min(m_next, m_bytes.size()));
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_next), there, taken.begin());
        m_next += there;
        return taken;
    }

  private:
    Bytes m_bytes;         ///< the input
    std::size_t m_next{0}; ///< what is taken next
};

/// Makes the checksum at the end of a header that begins there the right one.
void
Mend(uint8_t* header, uint32_t size)
{
    uint8_t* end = header + size - 4;
    ::dpdl::PutBigEndian<uint32_t>(end, ::dpdl::Crc32(header, size - 4));
}

Bytes
BytesOf(Ptr<const Packet> packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

Bytes
HeaderBytes(const Header& header)
{
    const Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(header);
    return BytesOf(packet);
}

/// What is read of a header is written and read again alike.
void
ReadHeader(const std::string& text)
{
    Input input(text);
    const bool isMended = input.Number() % 2 == 1;
    Bytes bytes = input.Take(text.empty() ? 0 : std::min<std::size_t>(text.size() - 1, 64));
    if (isMended && bytes.size() >= DpdlHeader::SIZE)
    {
        Mend(bytes.data(), DpdlHeader::SIZE);
    }
    const Ptr<Packet> packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    DpdlHeader header;
    packet->PeekHeader(header);
    std::ostringstream shown;
    header.Print(shown);
    if (header.IsValid())
    {
        const Bytes written = HeaderBytes(header);
        DpdlHeader again;
        Create<Packet>(written.data(), DpdlHeader::SIZE)->PeekHeader(again);
        Check(again.IsValid() && HeaderBytes(again) == written);
    }
}

/// A share of a model of 30 parameters.
::dpdl::Share
ShareTo(uint32_t target)
{
    return {0, target, 3, 0.5, 0.5, {}, 0};
}

/// Two messages on their way: one to node 1, and one that nodes 1 and 2 hear.
class Receivers
{
  public:
    Receivers()
    {
        Add({1}, 40, true);
        Add({1, 2}, 64, false);
    }

    /// What a node does with a datagram. @return false if that is no piece of a message to it
    bool Take(const Bytes& datagram, uint32_t node)
    {
        const Ptr<Packet> packet =
            Create<Packet>(datagram.data(), static_cast<uint32_t>(datagram.size()));
        DpdlFragmentHeader header;
        packet->RemoveHeader(header);
        DpdlMessageTable::Message* const message =
            header.IsValid() ? m_table.Find(header.number) : nullptr;
        if (message == nullptr || !message->Fits(header, packet->GetSize()))
        {
            return false;
        }
        for (uint32_t place = 0; place < message->receivers; ++place)
        {
            DpdlReassembly& copy = message->copies[place];
            if (copy.share.target == node && !copy.decided &&
                copy.Take(header.index, header.index * message->pieceBytes, packet) ==
                    DpdlReassembly::Piece::LAST)
            {
                copy.decided = true;
                CheckOwn(*message, place);
                message->undecided -= 1;
            }
        }
        if (message->undecided == 0)
        {
            const uint64_t number = message->number;
            m_table.Release(*message);
            Check(m_table.IsOver(number) && m_table.Find(number) == nullptr);
        }
        return true;
    }

    /// The datagram that a sender makes; empty if there is none.
    Bytes Piece(uint32_t which, uint32_t index)
    {
        DpdlMessageTable::Message* const message = m_table.Find(m_numbers[which]);
        if (message == nullptr || index >= message->pieces)
        {
            return {};
        }
        const Ptr<Packet> packet =
            message->packet->CreateFragment(index * message->pieceBytes, message->SizeOf(index));
        packet->AddHeader(message->HeaderOf(index));
        return BytesOf(packet);
    }

  private:
    void Add(const std::vector<uint32_t>& targets, uint32_t largest, bool keepsPayload)
    {
        std::vector<DpdlMessage> messages;
        const Bytes payload(120, static_cast<uint8_t>(targets.size()));
        const Ptr<Packet> whole = Create<Packet>(payload.data(), 120);
        for (auto target = targets.rbegin(); target != targets.rend(); ++target)
        {
            DpdlHeader header(ShareTo(*target));
            header.payloadBytes = 120;
            whole->AddHeader(header);
            messages.insert(messages.begin(), DpdlMessage(ShareTo(*target)));
        }
        DpdlMessageTable::Message& message = m_table.Add();
        message.Start(messages, whole, largest, keepsPayload);
        m_numbers.push_back(message.number);
    }

    /// Of a whole message a receiver has its own header, if no piece of it was changed.
    static void CheckOwn(const DpdlMessageTable::Message& message, uint32_t place)
    {
        const Bytes own = message.OwnBytes(place);
        Check(own.size() >= DpdlHeader::SIZE && own.size() <= message.size);
        DpdlHeader header;
        Create<Packet>(own.data(), static_cast<uint32_t>(own.size()))->PeekHeader(header);
        Check(!header.IsValid() || header.IsOf(message.copies[place].share));
    }

    DpdlMessageTable m_table;        ///< the messages
    std::vector<uint64_t> m_numbers; ///< of the messages
};

/// Datagrams, each a byte of choices and its contents: pieces as they were sent or with bytes
/// changed, or any bytes.
void
TakePieces(const std::string& text)
{
    Input input(text);
    Receivers receivers;
    while (!input.IsEmpty())
    {
        const uint8_t choices = input.Number();
        Bytes datagram = (choices & 1) != 0 ? receivers.Piece((choices >> 1) & 1, input.Number())
                                            : input.Take(input.Number());
        const bool isChanged = (choices & 4) != 0 && !datagram.empty();
        if (isChanged)
        {
            const std::size_t place = input.Number() % datagram.size();
            // A message that is changed behind its header is the business of its own checksum.
            datagram[place % DpdlFragmentHeader::SIZE] ^= input.Number();
        }
        if ((choices & 8) != 0 && datagram.size() >= DpdlFragmentHeader::SIZE)
        {
            Mend(datagram.data(), DpdlFragmentHeader::SIZE);
        }
        const bool isTaken = receivers.Take(datagram, 1 + ((choices >> 4) & 1));
        Check(isTaken || (choices & 1) == 0 || isChanged || datagram.empty());
    }
}

using Messages = std::vector<std::pair<uint64_t, Bytes>>;

constexpr uint32_t LARGEST_MESSAGE = 300;

/// The messages that a node finds in a stream. @param cut bytes of every packet but the last
Messages
Find(const Bytes& stream, std::size_t cut)
{
    DpdlStreamReader reader;
    Messages found;
    for (std::size_t begin = 0; begin < stream.size(); begin += cut)
    {
        const std::size_t size = std::min(cut, stream.size() - begin);
        const Ptr<Packet> packet =
            Create<Packet>(stream.data() + begin, static_cast<uint32_t>(size));
        while (packet->GetSize() > 0)
        {
            const DpdlStreamReader::Progress progress = reader.Take(packet);
            if (progress == DpdlStreamReader::Progress::BROKEN ||
                (progress == DpdlStreamReader::Progress::START &&
                 reader.Header().size > LARGEST_MESSAGE))
            {
                return found;
            }
            if (progress == DpdlStreamReader::Progress::START)
            {
                reader.Keep(reader.Header().number % 2 == 0 ? LARGEST_MESSAGE : DpdlHeader::SIZE);
            }
            if (progress == DpdlStreamReader::Progress::MESSAGE)
            {
                found.emplace_back(reader.Header().number, reader.Bytes());
            }
        }
    }
    return found;
}

/// A stream has the same messages however it is cut into packets.
void
ReadStream(const std::string& text)
{
    Input input(text);
    const uint8_t choices = input.Number();
    Bytes stream = input.Take(text.empty() ? 0 : text.size() - 1);
    constexpr uint32_t size = DpdlFragmentHeader::SIZE;
    const Bytes begin = HeaderBytes(DpdlFragmentHeader());
    for (std::size_t i = 0; (choices & 1) != 0 && i + size <= stream.size(); ++i)
    {
        if (std::equal(begin.begin(), begin.begin() + 4, stream.begin() + i))
        {
            Mend(stream.data() + i, size);
        }
    }
    Check(Find(stream, 1 + choices / 2) == Find(stream, stream.size()));
}

const Parsers&
AllParsers()
{
    static const Parsers parsers{
        {"header", ReadHeader},
        {"pieces", TakePieces},
        {"stream", ReadStream},
    };
    return parsers;
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Parser& parser = ChosenParser(AllParsers());
    parser(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
