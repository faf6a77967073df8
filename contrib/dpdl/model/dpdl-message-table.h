// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_TABLE_H
#define DPDL_MESSAGE_TABLE_H

#include "dpdl-fragment-header.h"
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
 * @brief Pieces of a message that one receiver has.
 *
 * Pieces may come in any order and more than once. No bytes of a virtual payload are kept, those
 * in front of it and of real payloads the bytes are.
 */
class DpdlReassembly
{
  public:
    /// Kind of a piece.
    enum class Piece
    {
        TAKEN,     ///< new
        LAST,      ///< new, and the last that was missing
        DUPLICATE, ///< had before
    };

    /**
     * @brief Starts again for another message.
     * @param share what it stands for
     * @param pieces in how many pieces it comes
     * @param keptBytes how many bytes from its start are kept
     */
    void Start(const ::dpdl::Share& share, uint32_t pieces, uint32_t keptBytes);

    /**
     * @brief Takes a piece in.
     * @param index of the piece
     * @param offset of its first byte in the message
     * @param payload its bytes
     * @return what it was
     */
    Piece Take(uint32_t index, uint32_t offset, Ptr<const Packet> payload);

    /// Its contents are no longer of use: frees them. Take() goes on.
    void DropContents()
    {
        share.z = {};
        m_bytes = {};
    }

    /// Kept bytes of the message, after the last piece.
    const std::vector<uint8_t>& Bytes() const
    {
        return m_bytes;
    }

    ::dpdl::Share share;                     //!< what the message stands for
    bool decided{false};                     //!< delivered or lost
    std::optional<::dpdl::MessageLoss> loss; //!< last drop of a piece of it

  private:
    std::vector<bool> m_has;      //!< by index
    uint32_t m_missing{0};        //!< pieces
    std::vector<uint8_t> m_bytes; //!< see Bytes()
};

/**
 * @ingroup dpdl
 *
 * @brief The messages that are on their way, by number.
 *
 * A number names a slot and how often it was used before, so that what arrives too late finds that
 * its message is over. Slots are used again with all the memory they have.
 */
class DpdlMessageTable
{
  public:
    /// A message on its way to one receiver or, in a broadcast, to several.
    struct Message
    {
        uint64_t number{0};                 //!< on the wire
        Ptr<const Packet> packet;           //!< header or headers, and payload
        std::vector<DpdlReassembly> copies; //!< one a receiver; those in use come first
        uint32_t receivers{0};              //!< copies in use
        uint32_t undecided{0};              //!< of these, without a fate
        uint32_t size{0};                   //!< bytes of the packet
        uint32_t pieceBytes{0};             //!< of every piece but the last, without header
        uint32_t pieces{0};                 //!< how many
        bool isBroadcast{false};            //!< every node of the subnet hears it
        bool isLeaving{false};              //!< pieces are left to send
        bool isGivenUp{false};              //!< lost by silence; pieces may still come
        uint32_t released{0};               //!< of these, handed to the socket
        Time heard;                         //!< when a piece was last sent or received
        Address from;                       //!< of the last piece that its source had sent

        /**
         * @brief Sets what is sent to whom, and cuts it into pieces.
         * @param messages one a receiver
         * @param whole their headers, and the payload
         * @param largest bytes of a piece without its header, > 0
         * @param keepsPayload true: receivers keep all bytes; false: the headers
         */
        void Start(const std::vector<DpdlMessage>& messages,
                   Ptr<const Packet> whole,
                   uint32_t largest,
                   bool keepsPayload);

        /// Bytes of the headers in front of the payload.
        uint32_t HeaderBytes() const;

        /// Bytes of its header and of the payload that a receiver keeps. @param place of its copy
        std::vector<uint8_t> OwnBytes(uint32_t place) const;

        /// Header of the piece of that index.
        DpdlFragmentHeader HeaderOf(uint32_t index) const;

        /// Bytes of the piece of that index, without its header.
        uint32_t SizeOf(uint32_t index) const;

        /// True if a piece of @p bytes behind the header is one of this message.
        bool Fits(const DpdlFragmentHeader& header, uint32_t bytes) const;
    };

    /**
     * @brief Takes a free slot; the message is over when Release() is called.
     * @return the message, with its number set; valid until it is over
     */
    Message& Add();

    /// The message of that number, or nullptr if it is over or never was.
    Message* Find(uint64_t number);

    /// True if a message had that number once, and it is over.
    bool IsOver(uint64_t number) const;

    /// The message is over.
    void Release(Message& message);

    /// Messages on their way.
    std::size_t Size() const
    {
        return m_numbers.Held();
    }

    /// Numbers of the messages on their way.
    std::vector<uint64_t> Numbers() const;

    /// Forgets everything.
    void Clear();

  private:
    /// A place for a message.
    struct Slot
    {
        Message message;  //!< valid if used
        uint32_t uses{0}; //!< how often it was taken
        bool used{false}; //!< holds a message
    };

    std::deque<Slot> m_slots;      //!< by the low half of the number; places never move
    ::dpdl::SlotNumbers m_numbers; //!< slots with a message
};

} // namespace ns3

#endif // DPDL_MESSAGE_TABLE_H
