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
 * @brief Serialiser that sends all its messages at the same time, each at an equal fraction of the
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
     * @param duration serialisation time of the message alone
     * @param packet serialisation time of the message's largest packet alone; messages alternate
     *        packet by packet
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
 * @brief The links of message mode (one event per message, no packets): their parameters, and the
 *        serialisers of their messages.
 *
 * A link is created when it is first requested.
 */
class DpdlMessageLinks
{
  public:
    /// Properties that all links have in common.
    struct Wire
    {
        uint32_t packetSize{0};     //!< payload bytes per packet; 0: one packet per message
        uint32_t packetOverhead{0}; //!< header bytes per packet
        uint32_t hops{1};           //!< number of times that a packet is serialised, once per hop
        /// Links with a common serialiser: none, uplink (of a sender), downlink (of a receiver).
        std::string sharing{"none"};
        /// Service of a serialiser: fifo, or fair (all messages at once).
        std::string discipline{"fifo"};
    };

    /// A directed link that has been used.
    struct Link
    {
        uint32_t target{0};     //!< number of the receiving node
        uint32_t group{0};      //!< links of one group share a serialiser; 0: not in a group
        uint32_t serialiser{0}; //!< index of the link's serialiser in m_serialisers
        uint32_t overhead{0};   //!< bytes added to each message
        double drop{0.0};       //!< probability that the link loses a message, [0, 1)
        DataRate rate;          //!< data rate of the link if its serialiser sends no other message
        Time delay;             //!< propagation delay of the link
        ::dpdl::QueueLimit queue; //!< capacity of the queue; a message that does not fit is lost
        /// Message size to which lastTime belongs, in bytes; 0: none.
        mutable uint64_t lastBytes{0};
        mutable Time lastTime; //!< serialisation time of a message of lastBytes bytes
    };

    /// Serialiser of one link, or of several links that share it.
    struct Serialiser
    {
        Time busyUntil; //!< time at which the serialiser will have sent all its messages
        /// Times at which the messages will have left, in ascending order; used only if the queue
        /// limits the number of messages. An empty std::list takes less memory than an empty
        /// std::deque.
        std::list<Time> ends;
        /// Serialiser with Discipline fair; empty: first in, first out.
        std::unique_ptr<DpdlSharedSerializer> fair;
    };

    /**
     * @brief Sets the parameters of links; call this before the first Find().
     * @param wire properties that all links have in common
     * @param table parameters of all links
     */
    void Configure(const Wire& wire, std::shared_ptr<const ::dpdl::LinkTable> table);

    /// Removes all links and serialisers.
    void Clear();

    /**
     * @brief The link between two nodes.
     * @param source sending node
     * @param target receiving node
     * @return the link; valid until the next call
     */
    Link& Find(uint32_t source, uint32_t target);

    /// Parameters of a link, from the table of Configure(); Link::serialiser is not set.
    Link Describe(uint32_t source, uint32_t target) const;

    /// Converts parameters to a link; Link::target and Link::serialiser are not set.
    static Link LinkOf(const ::dpdl::LinkParameters& parameters);

    /**
     * @brief Applies the data rate and the delay that a failure prescribes to a link.
     * @param condition failures of the link
     * @param link without failures
     * @param changed storage for the modified link
     * @return @p link if the condition changes nothing, else @p changed
     */
    static const Link& Under(const ::dpdl::LinkCondition& condition,
                             const Link& link,
                             Link& changed);

    /// Serialiser of a link from Find(); valid until the next call of Find().
    Serialiser& SerialiserOf(const Link& link)
    {
        return m_serialisers[link.serialiser];
    }

    /**
     * @brief Serialisation time of a message if no other message is sent.
     * @param link link from Find(), LinkOf() or Under()
     * @param size size of the message in bytes, without overhead
     * @return the time; headers of packets and the link's overhead are included
     */
    Time SerialisationTime(const Link& link, uint64_t size) const;

    /// Serialisation time of the largest packet of a message of @p size bytes, if no other message
    /// is sent.
    Time PacketTime(const Link& link, uint64_t size) const;

    /// Time from the end of a message's serialisation at the sender to its arrival: propagation
    /// delay, and serialisation of its last packet at routers. The message has @p size bytes.
    Time Latency(const Link& link, uint64_t size) const;

    /**
     * @brief Checks that a message fits into the queue of its link.
     * @param link link from Find() or Under()
     * @param duration serialisation time of the message, plus that of messages that wait outside
     *        the serialiser
     * @param waiting number of these waiting messages
     * @return false: the message is lost
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
    std::vector<Serialiser> m_serialisers; //!< serialisers, in the order of first use
    std::map<std::pair<char, uint32_t>, uint32_t>
        m_shared; //!< indices of shared serialisers, by kind ('n': node, 'g': group) and number
};

} // namespace ns3

#endif // DPDL_MESSAGE_LINKS_H
