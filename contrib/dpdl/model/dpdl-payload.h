// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PAYLOAD_H
#define DPDL_PAYLOAD_H

#include "dpdl-header.h"
#include "dpdl/algorithm/share.h"
#include "dpdl/training/chunk-layout.h"

#include "ns3/packet.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief What stands behind the header of a share: virtual bytes, or those of the parameters.
 *
 * A virtual payload has the true size and no contents, and its receiver takes the handle that the
 * sender's share holds. Real bytes are written, checked and read; both give the same numbers.
 */
class DpdlPayload
{
  public:
    /// @param pool gives vectors for parameters that are read; nullptr: payloads are virtual
    explicit DpdlPayload(::dpdl::ParameterPool* pool = nullptr);

    /**
     * @brief Makes the packet of a share.
     * @param share what is sent
     * @param chunks how the model is cut
     * @param header receives size and checksum of the payload, and stands in front of it
     * @return header and payload
     */
    Ptr<Packet> Write(const ::dpdl::Share& share,
                      const ::dpdl::ChunkLayout& chunks,
                      DpdlHeader& header);

    /**
     * @brief Reads the payload of a share.
     * @param packet the payload alone
     * @param chunks how the model is cut
     * @param header that stood in front of it
     * @param share receives the parameters, if they travel as bytes
     * @return false if size or checksum are wrong
     */
    bool Read(Ptr<const Packet> packet,
              const ::dpdl::ChunkLayout& chunks,
              const DpdlHeader& header,
              ::dpdl::Share& share);

  private:
    void Encode(const ::dpdl::Share& share, const ::dpdl::ChunkLayout& chunks);

    ::dpdl::ParameterPool* m_pool; //!< see DpdlPayload()
    std::vector<uint8_t> m_bytes;  //!< of the payload that was written or read last
    Ptr<const Packet> m_written;   //!< payload that was written last
    uint32_t m_checksum{0};        //!< of it
    ::dpdl::NodeId m_source{0};    //!< whose it is
    ::dpdl::Round m_round{0};      //!< of which round
    uint16_t m_chunk{0};           //!< and which part of the model
};

} // namespace ns3

#endif // DPDL_PAYLOAD_H
