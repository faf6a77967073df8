// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_H
#define DPDL_MESSAGE_H

#include "dpdl-header.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/training/compressor.h"
#include "dpdl/training/parameters.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <memory>
#include <vector>

namespace ns3
{

class DpdlPayload;

/**
 * @ingroup dpdl
 *
 * @brief Message of a transport: a share, and its packet with header and payload.
 *
 * The network simulates the packet. Share::z refers to the parameters without copying them. A
 * packet with virtual payload is created on demand, so a network that needs only its size never
 * creates it.
 */
class DpdlMessage
{
  public:
    DpdlMessage() = default;

    /**
     * @brief Makes a message to send.
     * @param what share of the message
     * @param payload writes the bytes after the header; empty: no payload
     */
    explicit DpdlMessage(const ::dpdl::Share& what, std::shared_ptr<DpdlPayload> payload = {});

    /**
     * @brief Makes a message that has arrived.
     * @param what share of the message
     * @param packet the received packet, possibly damaged
     */
    DpdlMessage(const ::dpdl::Share& what, Ptr<const Packet> packet)
        : share(what),
          m_packet(packet)
    {
    }

    /// Size of the packet in bytes, header included; creates no packet.
    uint32_t GetSize() const;

    /// The packet; created at the first call.
    Ptr<const Packet> GetPacket() const;

    /// True if the packet has been created.
    bool HasPacket() const
    {
        return m_packet != nullptr;
    }

    ::dpdl::Share share; //!< share of the message
    Time givenUpAt; //!< time at which the sender stops retransmitting; 0 without retransmission
    Time arriving;  //!< duration of the reception; set when the message is in flight

  private:
    /// Writes the bytes after the header; empty: no payload.
    std::shared_ptr<DpdlPayload> m_payload;
    mutable Ptr<const Packet> m_packet; //!< the packet, created on first use
};

/**
 * @ingroup dpdl
 *
 * @brief Writes and reads the payload after the header of a share: virtual bytes, or the bytes of
 *        the parameters.
 *
 * A virtual payload has the size of the parameters and no content; the receiver uses the parameters
 * to which Share::z of the sender's share refers. Real bytes are written, checked and read. Both
 * kinds of payload give identical parameters.
 */
class DpdlPayload
{
  public:
    /**
     * @param chunks division of the model's parameters into chunks
     * @param compression encoding of parameters; only virtual payloads may be compressed
     * @param pool provides vectors for received parameters, and outlives this object; nullptr:
     *        payloads are virtual
     */
    explicit DpdlPayload(const ::dpdl::ChunkLayout& chunks,
                         ::dpdl::Compression compression = {},
                         ::dpdl::ParameterPool* pool = nullptr);

    /// True if packets contain the bytes of the parameters.
    bool IsReal() const
    {
        return m_pool != nullptr;
    }

    /// Size of a share's payload in bytes, without the header.
    uint32_t SizeOf(const ::dpdl::Share& share) const;

    /// Creates the packet of a share: header and payload.
    Ptr<Packet> Write(const ::dpdl::Share& share);

    /**
     * @brief Reads the packet of a message, if it has one.
     * @param message the received message
     * @param[in,out] share share of the message; receives the parameters of a real payload
     * @return true if the packet is intact or was never created; false if it is damaged or differs
     *        from the packet that was sent
     */
    bool Read(const DpdlMessage& message, ::dpdl::Share& share);

  private:
    bool Fits(const DpdlHeader& header, const ::dpdl::Share& share, uint32_t bytes) const;
    void Encode(const ::dpdl::Share& share);

    ::dpdl::ChunkLayout m_chunks;      //!< division of the model's parameters into chunks
    ::dpdl::Compression m_compression; //!< encoding of parameters
    /// Provides vectors for received parameters; nullptr: virtual payloads.
    ::dpdl::ParameterPool* m_pool;
    std::vector<uint8_t> m_bytes; //!< buffer for the bytes of the payload last written or read
    Ptr<const Packet> m_written;  //!< real payload last written, reused for shares of the same
                                  //!< source, round and chunk
    uint32_t m_checksum{0};       //!< CRC-32 of m_written
    ::dpdl::NodeId m_source{0};   //!< source of m_written
    ::dpdl::Round m_round{0};     //!< round of m_written
    uint16_t m_chunk{0};          //!< chunk of m_written
};

} // namespace ns3

#endif // DPDL_MESSAGE_H
