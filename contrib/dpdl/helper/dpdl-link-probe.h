// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_LINK_PROBE_H
#define DPDL_LINK_PROBE_H

#include "dpdl/network/link-fit.h"
#include "dpdl/topology/graph-sequence.h"

#include "ns3/dpdl-transport.h"
#include "ns3/event-id.h"
#include "ns3/node-container.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Sends messages through a transport, and measures when they arrive.
 *
 * A volley is a set of messages that are sent at the same time. The next volley starts only when
 * every message of the current volley has arrived or is lost, so messages of different volleys do
 * not interfere with each other. If nothing arrives or is lost for a long time (@p patience of the
 * constructor), the next volley starts nevertheless.
 */
class DpdlLinkProbe
{
  public:
    /// A message to send.
    struct Message
    {
        uint32_t source; //!< number of the sending node
        uint32_t target; //!< number of the receiving node
        uint64_t bytes;  //!< size in bytes, header included; at least DpdlHeader::SIZE
    };

    /// Messages that are sent together.
    using Volley = std::vector<Message>;

    /**
     * @brief Returns volleys that measure links one by one.
     * @param links directed links, by node numbers
     * @param sizes sizes of the messages, in bytes
     * @param burst number of messages in each volley that measures a link's queue
     * @return for each link, in the order of @p links, and each size: one volley with a single
     *        message, and one with @p burst messages
     */
    static std::vector<Volley> ForEachLink(const std::vector<::dpdl::Edge>& links,
                                           const std::vector<uint64_t>& sizes,
                                           uint32_t burst);

    /**
     * @brief Returns one volley per size: a message over every link at once, as in a round.
     * @param links directed links, by node numbers
     * @param sizes sizes of the messages, in bytes
     * @return the volleys, in the order of @p sizes
     */
    static std::vector<Volley> AllAtOnce(const std::vector<::dpdl::Edge>& links,
                                         const std::vector<uint64_t>& sizes);

    /**
     * @param nodes nodes of the network; a node's index is its number
     * @param volleys volleys, in the order of sending
     * @param patience time without an arrival or loss of a message after which the next volley
     *        starts
     * @param gap time from the last arrival or loss of a volley to the next volley; not applied
     *        when @p patience has passed
     */
    DpdlLinkProbe(const NodeContainer& nodes,
                  std::vector<Volley> volleys,
                  Time patience,
                  Time gap = Time());

    /**
     * @brief Simulates the volleys and stops the simulation; the caller then calls
     *        Simulator::Destroy().
     * @param transport transport between the nodes; the probe connects every node to it
     * @return every message with its times of sending and arrival in s, in the order of the
     *         volleys. The time of arrival is NaN if the message did not arrive
     */
    std::vector<::dpdl::TimedMessage> Run(Ptr<DpdlTransport> transport);

  private:
    void SendVolley();
    void Send(const Message& message);
    void Hear(uint32_t number, bool hasArrived);
    void GiveUp();

    NodeContainer m_nodes;         //!< nodes of the network
    std::vector<Volley> m_volleys; //!< volleys, in the order of sending
    Time m_patience; //!< time without an arrival or loss after which the next volley starts
    Time m_gap;      //!< time from the last arrival or loss of a volley to the next volley
    Ptr<DpdlTransport> m_transport;               //!< carries the messages
    std::vector<::dpdl::TimedMessage> m_messages; //!< all messages sent, with their times
    std::vector<bool> m_isDecided; //!< by message: true if the message has arrived or is lost
    size_t m_next{0};              //!< index of the volley to send next
    /// Number of messages of the current volley that have neither arrived nor been lost.
    size_t m_waiting{0};
    EventId m_patienceEvent; //!< event that starts the next volley after m_patience
};

} // namespace ns3

#endif // DPDL_LINK_PROBE_H
