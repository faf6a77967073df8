// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_STREAM_READER_H
#define DPDL_STREAM_READER_H

#include "dpdl-header.h"

#include "ns3/packet.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Parses a byte stream in which each message follows its fragment header.
 */
class DpdlStreamReader
{
  public:
    /// Meaning of the bytes that Take() has removed.
    enum class Progress
    {
        PART,    ///< the current fragment header or message is still incomplete
        START,   ///< a fragment header ends here: Keep() must be called
        MESSAGE, ///< a message ends here; Header() and Bytes() are valid until the next Take()
        BROKEN,  ///< no valid fragment header: the stream cannot be read further
    };

    /// Sets how many bytes of the current message are stored; call it after Progress::START.
    /// @param bytes maximum number of bytes, from the start of the message
    void Keep(uint32_t bytes);

    /**
     * @brief Removes bytes from the front of a packet, at most up to the end of a fragment header
     * or of a message.
     * @param packet not empty; call again until it is empty
     * @return meaning of the bytes
     */
    Progress Take(Ptr<Packet> packet);

    /// Fragment header of the current message; valid after START.
    const DpdlFragmentHeader& Header() const
    {
        return m_header;
    }

    /// Stored bytes of the current message, at most as many as Keep() allows.
    const std::vector<uint8_t>& Bytes() const
    {
        return m_bytes;
    }

  private:
    Progress TakeHead(Ptr<Packet> packet);
    Progress TakeBody(Ptr<Packet> packet);

    std::vector<uint8_t> m_head;  //!< bytes of a partial fragment header
    DpdlFragmentHeader m_header;  //!< fragment header of the current message
    uint32_t m_received{0};       //!< bytes of the message received so far
    std::vector<uint8_t> m_bytes; //!< stored bytes of the current message
};

} // namespace ns3

#endif // DPDL_STREAM_READER_H
