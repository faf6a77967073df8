// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_H
#define DPDL_MESSAGE_H

#include "dpdl-header.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/training/chunk-layout.h"
#include "dpdl/training/compressor.h"

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
 * @brief Message of a transport: a share and its packet, header and payload.
 *
 * The packet decides when and whether a message arrives, the share's handle saves copying what it
 * stands for. A virtual packet is made when it is first needed: a network that needs its
 * size alone serialises nothing.
 */
class DpdlMessage
{
  public:
    DpdlMessage() = default;

    /**
     * @brief A message to send.
     * @param what it stands for
     * @param payload writes what stands behind the header; empty: nothing does
     */
    explicit DpdlMessage(const ::dpdl::Share& what, std::shared_ptr<DpdlPayload> payload = {});

    /**
     * @brief A message as it arrived.
     * @param what it stands for
     * @param packet what travelled, perhaps damaged
     */
    DpdlMessage(const ::dpdl::Share& what, Ptr<const Packet> packet)
        : share(what),
          m_packet(packet)
    {
    }

    /// Bytes of the packet.
    uint32_t GetSize() const;

    /// The packet; made at the first call.
    Ptr<const Packet> GetPacket() const;

    /// True if there is a packet already.
    bool HasPacket() const
    {
        return m_packet != nullptr;
    }

    ::dpdl::Share share; //!< what it stands for
    Time givenUpAt;      //!< when its sender gives it up, if it is sent again; else of no meaning

  private:
    std::shared_ptr<DpdlPayload> m_payload; //!< see DpdlMessage()
    mutable Ptr<const Packet> m_packet;     //!< see GetPacket()
};

/**
 * @ingroup dpdl
 *
 * @brief Writes and reads what stands behind the header of a share: virtual bytes, or those of the
 *        parameters.
 *
 * A virtual payload has the true size and no contents, and its receiver takes the handle that the
 * sender's share holds. Real bytes are written, checked and read; both give the same numbers.
 */
class DpdlPayload
{
  public:
    /**
     * @param chunks how the model is cut
     * @param compression how parameters travel; compressed ones in virtual payloads only
     * @param pool gives vectors for parameters that are read; nullptr: payloads are virtual
     */
    explicit DpdlPayload(const ::dpdl::ChunkLayout& chunks,
                         ::dpdl::Compression compression = {},
                         ::dpdl::ParameterPool* pool = nullptr);

    /// True if the bytes of the parameters travel.
    bool IsReal() const
    {
        return m_pool != nullptr;
    }

    /// Bytes behind the header of a share.
    uint32_t SizeOf(const ::dpdl::Share& share) const;

    /// Makes the packet of a share: header and payload.
    Ptr<Packet> Write(const ::dpdl::Share& share);

    /**
     * @brief Reads the packet of a message, if it has one.
     * @param message that arrived
     * @param share what the message stands for; receives the parameters of a real payload
     * @return false if the packet is damaged, or says anything else than what was sent
     */
    bool Read(const DpdlMessage& message, ::dpdl::Share& share);

  private:
    bool Fits(const DpdlHeader& header, const ::dpdl::Share& share, uint32_t bytes) const;
    void Encode(const ::dpdl::Share& share);

    ::dpdl::ChunkLayout m_chunks;      //!< see DpdlPayload()
    ::dpdl::Compression m_compression; //!< see DpdlPayload()
    ::dpdl::ParameterPool* m_pool;     //!< see DpdlPayload()
    std::vector<uint8_t> m_bytes;      //!< of the payload that was written or read last
    Ptr<const Packet> m_written;       //!< payload that was written last
    uint32_t m_checksum{0};            //!< of it
    ::dpdl::NodeId m_source{0};        //!< whose it is
    ::dpdl::Round m_round{0};          //!< of which round
    uint16_t m_chunk{0};               //!< and which part of the model
};

} // namespace ns3

#endif // DPDL_MESSAGE_H
