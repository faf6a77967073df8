// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_TABLE_H
#define DPDL_MESSAGE_TABLE_H

#include "dpdl-header.h"
#include "dpdl-message.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/base/slot-pool.h"

#include "ns3/address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <deque>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Reassembles a message at one receiver from its pieces, the fragments that arrive in
 *        datagrams.
 *
 * Pieces may arrive in any order and more than once. The bytes of headers and of real payloads are
 * kept, those of virtual payloads are not.
 */
class DpdlReassembly
{
  public:
    /// Effect of a piece that arrives.
    enum class Piece
    {
        TAKEN,     ///< the piece is new, and other pieces are still missing
        LAST,      ///< the piece is new, and completes the message
        DUPLICATE, ///< the piece was already received
    };

    /**
     * @brief Discards the previous message and starts another.
     * @param share share of the message
     * @param pieces number of pieces of the message
     * @param keptBytes number of bytes to store, from the start of the message
     */
    void Start(const ::dpdl::Share& share, uint32_t pieces, uint32_t keptBytes);

    /**
     * @brief Adds a piece.
     * @param index index of the piece, less than the number of pieces
     * @param offset position of the piece's first byte in the message
     * @param payload bytes of the piece
     * @return effect of the piece
     */
    Piece Take(uint32_t index, uint32_t offset, Ptr<const Packet> payload);

    /// Frees the parameters and the kept bytes. Take() still counts pieces afterwards.
    void DropContents()
    {
        share.z = {};
        m_bytes = {};
    }

    /// Kept bytes of the message; complete after the last piece.
    const std::vector<uint8_t>& Bytes() const
    {
        return m_bytes;
    }

    ::dpdl::Share share; //!< share of the message
    bool decided{false}; //!< true: the message has been delivered or lost at this receiver
    std::optional<::dpdl::MessageLoss> loss; //!< last drop of a piece of the message

  private:
    std::vector<bool> m_has;      //!< by index of a piece: true if the piece has arrived
    uint32_t m_missing{0};        //!< number of missing pieces
    std::vector<uint8_t> m_bytes; //!< kept bytes of the message; complete after the last piece
};

/**
 * @ingroup dpdl
 *
 * @brief The messages in flight, by message id.
 *
 * Messages are stored in slots, which are reused with their memory. An id combines the index of the
 * slot and the number of messages that the slot has held. A piece that arrives after its message
 * has ended is therefore not mistaken for a piece of the slot's next message.
 */
class DpdlMessageTable
{
  public:
    /// A message in flight to one receiver or, in a broadcast, to several.
    struct Message
    {
        uint64_t number{0};       //!< id of the message, in the fragment headers of its pieces
        Ptr<const Packet> packet; //!< share headers of all receivers, then the payload
        /// Reassembly of the message, by receiver; the first `receivers` entries are in use.
        std::vector<DpdlReassembly> copies;
        uint32_t receivers{0}; //!< number of receivers of this message
        /// Number of receivers at which the message is neither delivered nor lost.
        uint32_t undecided{0};
        uint32_t size{0};        //!< size of the packet in bytes
        uint32_t pieceBytes{0};  //!< bytes of every piece but the last, without header
        uint32_t pieces{0};      //!< number of pieces of the message
        bool isBroadcast{false}; //!< true: the message is sent to all nodes of the subnet
        bool isLeaving{false};   //!< true: some pieces are not yet sent
        /// True: the message is lost by timeout, but pieces may still arrive.
        bool isGivenUp{false};
        uint32_t released{0}; //!< number of pieces handed to the socket
        Time heard;   //!< latest time at which a piece was received or is expected to arrive
        Address from; //!< socket address from which the last accepted piece came

        /**
         * @brief Sets contents and receivers, and divides the message into pieces.
         * @param messages one message per receiver
         * @param whole packet with the headers of all messages, then the payload
         * @param largest bytes of a piece without its header, > 0
         * @param keepsPayload true: receivers keep all bytes; false: only the headers
         */
        void Start(const std::vector<DpdlMessage>& messages,
                   Ptr<const Packet> whole,
                   uint32_t largest,
                   bool keepsPayload);

        /// Size in bytes of all share headers in front of the payload.
        uint32_t HeaderBytes() const
        {
            return std::min(size, receivers * DpdlHeader::SIZE);
        }

        /// Bytes of the share of one receiver: its header, then the payload.
        /// @param place index of the receiver's entry in `copies`
        std::vector<uint8_t> OwnBytes(uint32_t place) const;

        /// Fragment header of the piece with index @p index, from 0.
        DpdlFragmentHeader HeaderOf(uint32_t index) const;

        /// Bytes of the piece with index @p index, without its fragment header.
        uint32_t SizeOf(uint32_t index) const
        {
            return std::min(pieceBytes, size - index * pieceBytes);
        }

        /// True if the counts and sizes in @p header match this message. The piece after the header
        /// has @p bytes bytes.
        bool Fits(const DpdlFragmentHeader& header, uint32_t bytes) const;
    };

    /**
     * @brief Takes a free slot, or a new one, for a message; Release() frees it.
     * @return the message, with its id set; valid until Release()
     */
    Message& Add();

    /// Message with id @p number; nullptr if it has ended or never existed.
    Message* Find(uint64_t number);

    /// True if a message with id @p number existed and has ended.
    bool IsOver(uint64_t number) const;

    /// Ends a message and frees its slot.
    void Release(Message& message);

    /// Number of messages in flight.
    std::size_t Size() const
    {
        return m_numbers.Held();
    }

    /// Ids of the messages in flight, in the order of their slots.
    std::vector<uint64_t> Numbers() const;

    /// Removes all messages.
    void Clear();

  private:
    /// Storage of a message.
    struct Slot
    {
        Message message;  //!< the message; valid if the slot is in use
        uint32_t uses{0}; //!< number of messages that the slot has held
        bool used{false}; //!< true: the slot holds a message
    };

    /// Slots, by the low 32 bits of the message id; addresses are stable.
    std::deque<Slot> m_slots;
    ::dpdl::SlotNumbers m_numbers; //!< allocates the indices of slots
};

} // namespace ns3

#endif // DPDL_MESSAGE_TABLE_H
