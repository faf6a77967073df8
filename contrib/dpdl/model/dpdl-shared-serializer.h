// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FAIR_SERIALISER_H
#define DPDL_FAIR_SERIALISER_H

#include "dpdl/network/processor-sharing.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Serialises all its messages at the same time at equal parts of the rate (processor
 * sharing). It has at most one pending event.
 */
class DpdlSharedSerializer
{
  public:
    /// @param done is called when the last bit of a message has left
    explicit DpdlSharedSerializer(std::function<void(uint32_t)> done);
    ~DpdlSharedSerializer();
    DpdlSharedSerializer(const DpdlSharedSerializer&) = delete;
    DpdlSharedSerializer& operator=(const DpdlSharedSerializer&) = delete;

    /**
     * @brief Adds a message and starts to send it.
     * @param duration serialisation time of the message alone
     * @param packet serialisation time of its largest packet alone: messages alternate per packet
     * @param message number that is passed to the callback
     */
    void Add(Time duration, Time packet, uint32_t message);

    /// Number of messages being sent.
    size_t Messages() const
    {
        return m_messages;
    }

  private:
    void Reschedule();
    void End();

    std::function<void(uint32_t)> m_done; //!< see the constructor
    ::dpdl::ProcessorSharing m_share;     //!< computes the end times
    EventId m_event;                      //!< end of the next message
    size_t m_messages{0};                 //!< see Messages()
};

} // namespace ns3

#endif // DPDL_FAIR_SERIALISER_H
