// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_LINKS_H
#define DPDL_MESSAGE_LINKS_H

#include "dpdl/base/slot-pool.h"
#include "dpdl/network/link-table.h"
#include "dpdl/network/network-state.h"
#include "dpdl/network/processor-sharing.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Transmitter that sends all its messages at the same time, each at an equal fraction of the
 *        data rate (processor sharing). It has at most one pending event.
 */
class DpdlSharedSerializer
{
  public:
    DpdlSharedSerializer() = default;
    ~DpdlSharedSerializer();
    DpdlSharedSerializer(const DpdlSharedSerializer&) = delete;
    DpdlSharedSerializer& operator=(const DpdlSharedSerializer&) = delete;

    /**
     * @brief Adds a message and starts to send it.
     * @param duration time to transmit the message at the full data rate
     * @param packet time to transmit the message's largest packet at the full data rate; messages
     *        alternate packet by packet. Zero: they share the rate continuously
     * @param done is called when the message's last bit has left
     */
    void Add(Time duration, Time packet, std::function<void()> done);

    /// Number of messages being sent.
    size_t Messages() const
    {
        return m_messages.Size();
    }

  private:
    void Reschedule();
    void End();

    ::dpdl::ProcessorSharing m_share; //!< computes the times at which messages end
    EventId m_event;                  //!< event at the end of the message that ends next
    /// Callbacks for the ends of messages, from Add().
    ::dpdl::SlotPool<std::function<void()>> m_messages;
};

/**
 * @ingroup dpdl
 *
 * @brief The links of message mode (one event per message, no packets): their parameters, and their
 *        serializers. A serializer models a transmitter with a queue; one or several links send
 *        through it.
 *
 * A link is created when Find() first returns it.
 */
class DpdlMessageLinks
{
  public:
    /// Properties that all links have in common.
    struct Wire
    {
        uint32_t packetSize{0};     //!< payload bytes per packet; 0: one packet per message
        uint32_t packetOverhead{0}; //!< header bytes per packet
        uint32_t hops{1}; //!< number of hops; each hop stores a packet and transmits it again
        /// Links that share one serializer: none, uplink (all links from a node), or downlink (all
        /// links to a node).
        std::string sharing{"none"};
        /// Order in which a serializer sends: fifo, or fair (all messages at once).
        std::string discipline{"fifo"};
    };

    /// A directed link that has been used.
    struct Link
    {
        uint32_t target{0}; //!< number of the receiving node
        /// Id of the link's group, whose links share a serializer; 0: not in a group.
        uint32_t group{0};
        uint32_t serialiser{0}; //!< index of the link's serializer in m_serialisers
        uint32_t overhead{0};   //!< bytes added to each message
        double drop{0.0};       //!< probability that the link loses a message, [0, 1)
        DataRate rate; //!< data rate of the link while its serializer sends no other message
        Time delay;    //!< propagation delay of the link
        ::dpdl::QueueLimit queue; //!< capacity of the queue; a message that does not fit is lost
        /// Message size to which lastTime belongs, in bytes; 0: none.
        mutable uint64_t lastBytes{0};
        mutable Time lastTime; //!< transmission time of a message of lastBytes bytes
    };

    /// State of the transmitter through which one link, or several links that share it, send their
    /// messages.
    struct Serialiser
    {
        Time busyUntil; //!< time at which all messages will have been sent
        /// Times at which the messages will have been sent, in ascending order; used only if the
        /// queue limits the number of messages. An empty std::list takes less memory than an empty
        /// std::deque.
        std::list<Time> ends;
        /// Sends the messages with Discipline fair; empty: first in, first out.
        std::unique_ptr<DpdlSharedSerializer> fair;
    };

    /**
     * @brief Sets the parameters of links; call this before the first Find().
     * @param wire properties that all links have in common
     * @param table parameters of all links
     */
    void Configure(const Wire& wire, std::shared_ptr<const ::dpdl::LinkTable> table);

    /// Removes all links and serializers.
    void Clear();

    /**
     * @brief The link between two nodes.
     * @param source sending node
     * @param target receiving node
     * @return the link, created if necessary; valid until the next call of Find()
     */
    Link& Find(uint32_t source, uint32_t target);

    /// Parameters of a link, from the table of Configure(); Link::serialiser is not set.
    Link Describe(uint32_t source, uint32_t target) const;

    /// Link with the given parameters, converted to ns-3 types (bit/s to DataRate, s to Time);
    /// Link::target and Link::serialiser are not set.
    static Link LinkOf(const ::dpdl::LinkParameters& parameters);

    /**
     * @brief Data rate and delay of a link under failures.
     * @param condition current failures of the link; their rate and delay, if any, replace those of
     *        the link
     * @param link the link without failures
     * @param changed storage for the modified link
     * @return @p link if the condition changes nothing, else @p changed
     */
    static const Link& Under(const ::dpdl::LinkCondition& condition,
                             const Link& link,
                             Link& changed);

    /// Serializer of a link from Find(); valid until the next call of Find().
    Serialiser& SerialiserOf(const Link& link)
    {
        return m_serialisers[link.serialiser];
    }

    /**
     * @brief Time to transmit a message if no other message is sent.
     * @param link link from Find(), LinkOf() or Under()
     * @param size size of the message in bytes, without overhead
     * @return the time; headers of packets and the link's overhead are included
     */
    Time SerialisationTime(const Link& link, uint64_t size) const;

    /// Time to transmit the largest packet of a message of @p size bytes, with the packet's header,
    /// if no other message is sent.
    Time PacketTime(const Link& link, uint64_t size) const;

    /// Time from when the sender has transmitted a message of @p size bytes to its arrival:
    /// propagation delay, plus PacketTime() for each hop after the first.
    Time Latency(const Link& link, uint64_t size) const;

    /**
     * @brief Checks that a message fits into the queue of its link.
     * @param link link from Find() or Under()
     * @param duration transmission time of the message, plus that of the messages that wait in a
     *        queue of the caller
     * @param waiting number of messages that wait in a queue of the caller
     * @return false if the queue is too full: the caller must drop the message
     */
    bool HasRoom(const Link& link, Time duration, size_t waiting = 0);

  private:
    uint32_t FindSerialiser(uint32_t source, uint32_t target, uint32_t group);

    Wire m_wire;                                      //!< common properties of all links
    std::shared_ptr<const ::dpdl::LinkTable> m_table; //!< parameters of all links
    /// Links, by source node, then in ascending order of targets.
    std::vector<std::vector<Link>> m_links;
    /// By source: index in m_links[source] of the link that Find() tries first.
    std::vector<size_t> m_nextLink;
    std::vector<Serialiser> m_serialisers; //!< serializers, in the order of first use
    std::map<std::pair<char, uint32_t>, uint32_t>
        m_shared; //!< index in m_serialisers of each shared serializer; key: 'n' and number of a
                  //!< node (Wire::sharing), or 'g' and id of a group
};

} // namespace ns3

#endif // DPDL_MESSAGE_LINKS_H
