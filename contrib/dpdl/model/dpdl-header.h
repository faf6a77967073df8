// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_HEADER_H
#define DPDL_HEADER_H

#include "dpdl/algorithm/share.h"

#include "ns3/header.h"
#include "ns3/packet.h"

namespace ns3
{

/**
 * @defgroup dpdl Differentially private decentralized learning
 *
 * Differentially private gossip learning with messages over a simulated network.
 */

/// Common base of DpdlHeader and DpdlFragmentHeader: the size of the header, and the validity of
/// the bytes that were read.
template <class Own>
class DpdlCheckedHeader : public Header
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return Own::GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return Own::SIZE;
    }

    /**
     * @brief Checks that the bytes read form a header of this version.
     * @return false if there were too few bytes, or they had a wrong magic, version or checksum, or
     *        an invalid push-sum mass; true also for a header that was not read from bytes
     */
    bool IsValid() const
    {
        return m_valid;
    }

    /// Reads the header at the start of a packet, and removes it if it is valid.
    /// Packet::RemoveHeader() expects a packet that begins with this header; this may be any.
    void TakeFrom(Ptr<Packet> packet)
    {
        packet->PeekHeader(*this);
        packet->RemoveAtStart(m_valid ? Own::SIZE : 0);
    }

  protected:
    bool m_valid{true}; //!< false: the bytes read form no header of this version
};

/**
 * @ingroup dpdl
 *
 * @brief The header of a push-sum share, before its parameters.
 *
 * 52 bytes, all numbers in network byte order (doc/formats/message.md): magic, version, kind,
 * chunk, round, source, target, mixing weight, push-sum mass (a double mantissa and a power of two,
 * since it may be too small for a double), size and CRC-32 of the payload, and a CRC-32 of all that
 * precedes it.
 */
class DpdlHeader : public DpdlCheckedHeader<DpdlHeader>
{
  public:
    /// Size of the header on the wire, in bytes.
    static constexpr uint32_t SIZE = 52;

    /// Kind of a packet. The codes are sent and never change.
    enum class Kind : uint8_t
    {
        SHARE = 0, ///< a share, with its parameters after the header
        /// Acknowledges the share of this round and chunk that the target sent.
        ACKNOWLEDGEMENT = 1,
        SENSITIVITY = 2, ///< no payload; field mass is the L1 sensitivity that the source estimates
        COMPRESSED = 3,  ///< a share, its parameters compressed by the run's compressor
    };

    DpdlHeader() = default;

    /// Header of a share; payloadBytes and payloadChecksum are 0.
    explicit DpdlHeader(const ::dpdl::Share& share);

    /// True if all fields except payloadBytes and payloadChecksum match the share.
    bool IsOf(const ::dpdl::Share& share) const;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    Kind kind{Kind::SHARE};    //!< kind of the packet that follows
    uint16_t chunk{0};         //!< chunk of the model; 0 if the model is not split
    uint32_t round{0};         //!< round of the local step whose result is in the share
    uint32_t source{0};        //!< number of the sending node
    uint32_t target{0};        //!< number of the receiving node
    double weight{0.0};        //!< mixing weight of the share
    ::dpdl::ScaledDouble mass; //!< push-sum mass of the share
    uint32_t payloadBytes{0};  //!< size of the parameters after the header, in bytes
    /// CRC-32 of the parameters; 0 if the payload is virtual. In an acknowledgement: number of the
    /// acknowledged copy.
    uint32_t payloadChecksum{0};
};

/**
 * @ingroup dpdl
 *
 * @brief The header of each piece of a message that is divided into datagrams, and of each whole
 *        message in a TCP stream.
 *
 * 32 bytes, all numbers in network byte order (doc/formats/message.md): magic, version, number of
 * share headers at the start of the message, id of the message, index of the piece, number of
 * pieces, size of the message, and a CRC-32 of all that precedes it.
 *
 * All pieces of a message but the last have the same size P, and piece i starts at byte i P.
 */
class DpdlFragmentHeader : public DpdlCheckedHeader<DpdlFragmentHeader>
{
  public:
    /// Size of the header on the wire, in bytes.
    static constexpr uint32_t SIZE = 32;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /**
     * @brief Reads a header from raw bytes.
     * @param bytes array of at least SIZE bytes
     */
    void Read(const uint8_t* bytes);

    uint16_t copies{1}; //!< number of share headers at the start of the message, one for each
                        //!< receiver
    uint64_t number{0}; //!< id of the message, unique in a run
    uint32_t index{0};  //!< index of this piece of the message, from 0
    uint32_t count{1};  //!< number of pieces of the message
    uint32_t size{0};   //!< bytes of the message, its share headers included
};

} // namespace ns3

#endif // DPDL_HEADER_H
