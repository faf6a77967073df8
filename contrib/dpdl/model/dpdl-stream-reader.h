// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_STREAM_READER_H
#define DPDL_STREAM_READER_H

#include "dpdl-fragment-header.h"

#include "ns3/packet.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Finds the messages in the bytes of a connection: each follows a fragment header.
 */
class DpdlStreamReader
{
  public:
    /// Result of reading bytes.
    enum class Progress
    {
        PART,    ///< a part of a message
        START,   ///< the last bytes of a fragment header: Keep() has to be called
        MESSAGE, ///< the last bytes of one; Header() and Bytes() are its own until the next Take()
        BROKEN,  ///< no valid fragment header where one has to be: the stream is of no use
    };

    /// Keeps at most the first @p bytes of this message. @param bytes upper limit
    void Keep(uint32_t bytes);

    /**
     * @brief Takes bytes off the front of a packet: to the end of a fragment header or of a message
     *        at the most.
     * @param packet not empty; call again while something is left of it
     * @return what they were
     */
    Progress Take(Ptr<Packet> packet);

    /// Of the message.
    const DpdlFragmentHeader& Header() const
    {
        return m_header;
    }

    /// Kept bytes of the message.
    const std::vector<uint8_t>& Bytes() const
    {
        return m_bytes;
    }

  private:
    Progress TakeHead(Ptr<Packet> packet);
    Progress TakeBody(Ptr<Packet> packet);

    std::vector<uint8_t> m_head;  //!< bytes of a fragment header
    DpdlFragmentHeader m_header;  //!< see Header()
    uint32_t m_received{0};       //!< bytes of the message
    std::vector<uint8_t> m_bytes; //!< see Bytes()
};

} // namespace ns3

#endif // DPDL_STREAM_READER_H
