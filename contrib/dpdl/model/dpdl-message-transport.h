// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_TRANSPORT_H
#define DPDL_MESSAGE_TRANSPORT_H

#include "dpdl-loss-model.h"
#include "dpdl-message-links.h"
#include "dpdl-transport.h"
#include "dpdl/base/random.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/link-table.h"
#include "dpdl/topology/graph-sequence.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Transport with one event per message: models the transmitter (serializer), queue, latency
 *        and loss of directed links.
 *
 * A message is transmitted at the rate of its link, propagates for the link's delay, and is dropped
 * with the link's probability. A dropped message also occupies its link. Each link has a separate
 * serializer, unless attribute Sharing or a group of a link file lets several links share one. A
 * serializer sends its messages first in, first out or, with Discipline fair, divides its rate
 * equally among them (processor sharing). The bytes on the wire are the size of the message, plus
 * MessageOverhead, plus PacketOverhead for each packet of PacketSize bytes.
 *
 * The random number that decides whether the link drops a message is a function of the random
 * stream, source, target, round, chunk and copy. Runs that agree in these and in the drop
 * probability lose the same messages.
 */
class DpdlMessageTransport : public DpdlTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlMessageTransport();

    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Default parameters of links, from the attributes.
     * @return the parameters; rates in bit/s, times in s
     * @throws dpdl::UsageError if Sharing, Discipline or QueueLimit is not accepted
     */
    ::dpdl::LinkParameters LinkDefaults() const;

    /**
     * @brief Time until the last message of a round arrives if all messages of the round are sent
     *        at once.
     * @param graph topology of the run
     * @param bytes size of every message
     * @return time in s: the maximum over the rounds of the graph's period or, if the graph is
     *         aperiodic, over all links, each with a single message
     */
    double TransferSeconds(const ::dpdl::GraphSequence& graph, uint64_t bytes);

    /**
     * @brief Lower bound of the time from Deliver(), which hands a message to the target's rank, to
     *        the message's arrival.
     * @param fastest parameters of a link that is at least as fast as every link between ranks
     * @param bytes size of the smallest message
     * @param failures events that may change delay or rate of links
     * @return lower bound over all messages between ranks
     */
    Time ShortestTime(::dpdl::LinkParameters fastest,
                      uint64_t bytes,
                      const std::vector<::dpdl::FailureEvent>& failures);

    /// True if all links have equal parameters, one hop, no shared serializer and no overhead.
    bool IsPlain() const;

    /**
     * @brief Sets the parameters of each link; call this before the first message.
     * @param links replaces the attributes DataRate, Delay, DropProbability, MessageOverhead and
     *        QueueLimit; empty: the attributes apply
     */
    void SetLinks(std::shared_ptr<const ::dpdl::LinkTable> links)
    {
        m_table = std::move(links);
    }

    /**
     * @brief Sets a loss model that acts in addition to the losses of links and failures.
     * @param model is called for every message; empty: no additional loss
     */
    void SetLossModel(Ptr<DpdlLossModel> model)
    {
        m_lossModel = model;
    }

    /**
     * @brief Makes nodes empty their queues: when a node sends messages of a new round, its
     *        messages of earlier rounds that still wait are dropped.
     *
     * Messages that a node sends at one time leave in a random order. With Discipline fair, links
     * begin to send all messages at once, so this method has no effect.
     */
    void EmptyQueues()
    {
        m_emptiesQueues = true;
    }

  protected:
    void DoDispose() override;

  private:
    /// Messages that wait for a serializer, by sending time; messages of one time are ordered by a
    /// random number.
    using Queue = std::multimap<std::pair<Time, double>, DpdlMessage>;

    bool HasMessages() const override;
    void DoSend(const DpdlMessage& message) override;

    /// Starts to transmit a message now: draws its loss, and schedules its arrival unless it is
    /// lost.
    void Transmit(const DpdlMessage& message);

    /// Adds a message to the queue of its serializer, or drops it if the queue is full.
    void Enqueue(const DpdlMessage& message);

    /// Drops the waiting messages of the sender of @p share that are of earlier rounds than @p
    /// share.
    void DropOlder(const ::dpdl::Share& share);

    /// Schedules TransmitNext() for when a serializer is free.
    /// @param link a link that sends through the serializer
    void AwaitSerialiser(const DpdlMessageLinks::Link& link);

    /// Transmits the first waiting message of a serializer if the serializer is free.
    /// @param serialiser index of the serializer
    void TransmitNext(uint32_t serialiser);

    /**
     * @brief Random number of one transmission of a chunk; equal arguments give equal numbers.
     * @param share share that the message carries
     * @param first first index of the random numbers for one purpose: 0 for losses, ORDER for the
     *        order in a queue
     * @return uniform in [0, 1)
     */
    double Draw(const ::dpdl::Share& share, uint64_t first);

    /// Passes the attributes to m_links before its first use.
    void Prepare();

    /**
     * @brief Sends a message through its serializer, with Discipline fair.
     * @param message message that the link carries
     * @param link link of the message
     * @param duration transmission time of the message at the full data rate
     * @param lost true: the message occupies its serializer but is not delivered
     */
    void SendFairly(const DpdlMessage& message,
                    const DpdlMessageLinks::Link& link,
                    Time duration,
                    bool lost);

    DataRate m_dataRate;           //!< data rate of all links if m_table is empty
    Time m_delay;                  //!< delay of all links if m_table is empty
    double m_dropProbability{0.0}; //!< drop probability of all links if m_table is empty
    uint32_t m_messageOverhead{0}; //!< bytes added to a message on all links if m_table is empty
    std::string m_queueLimit;      //!< queue limit of all links if m_table is empty
    uint32_t m_packetSize{0};      //!< payload bytes per packet; 0: one packet per message
    uint32_t m_packetOverhead{0};  //!< header bytes per packet
    uint32_t m_hops{1}; //!< number of hops; each hop stores a packet and transmits it again
    /// Links that share one serializer: none, uplink (all links from a node), or downlink (all
    /// links to a node).
    std::string m_sharing;
    /// Order in which a serializer sends: fifo, or fair (all messages at once).
    std::string m_discipline;

    /// Parameters of each link; empty: the attributes apply.
    std::shared_ptr<const ::dpdl::LinkTable> m_table;
    /// Decides for every message whether it is lost; empty: no additional loss.
    Ptr<DpdlLossModel> m_lossModel;
    Ptr<UniformRandomVariable> m_random; //!< draws m_seed
    bool m_seeded{false};                //!< true: m_seed has been drawn
    ::dpdl::RandomSeed m_seed;           //!< seed from which drops are drawn
    DpdlMessageLinks m_links;            //!< parameters and serializers of links
    bool m_isPrepared{false};            //!< true: the links have received the attributes
    /// Number of messages that serializers with Discipline fair are sending.
    std::size_t m_sending{0};
    bool m_emptiesQueues{false}; //!< true: a new round drops unsent messages of earlier rounds
    /// Nonempty queues of waiting messages, by index of the serializer.
    std::map<uint32_t, Queue> m_queues;
    /// Round of the last message of each node, by number of the node.
    std::map<uint32_t, uint32_t> m_latest;
};

} // namespace ns3

#endif // DPDL_MESSAGE_TRANSPORT_H
