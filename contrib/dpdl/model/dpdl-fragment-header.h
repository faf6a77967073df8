// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FRAGMENT_HEADER_H
#define DPDL_FRAGMENT_HEADER_H

#include "ns3/header.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The header of a piece of a message in a datagram, and of a message in a stream.
 *
 * 32 bytes, all numbers in network byte order (doc/formats/message.md): magic, version, number of
 * share headers at the start of the message, number of the message, index and count of the pieces,
 * size of the message, and a CRC-32 of all that precedes it.
 *
 * All pieces of a message but the last have the same size P, and piece i starts at byte i P.
 */
class DpdlFragmentHeader : public Header
{
  public:
    /// Bytes on the wire.
    static constexpr uint32_t SIZE = 32;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /**
     * @brief Reads a header from raw bytes.
     * @param bytes at least SIZE of them
     */
    void Read(const uint8_t* bytes);

    /**
     * @brief Checks that the bytes read form a header of this version.
     * @return false after a wrong magic, version or checksum
     */
    bool IsValid() const;

    uint16_t copies{1}; //!< share headers at the start of the message, one for each receiver
    uint64_t number{0}; //!< of the message, unique in a run
    uint32_t index{0};  //!< of this piece, from 0
    uint32_t count{1};  //!< pieces of the message
    uint32_t size{0};   //!< bytes of the message, its share headers included

  private:
    bool m_valid{true}; //!< see IsValid()
};

} // namespace ns3

#endif // DPDL_FRAGMENT_HEADER_H
