// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_MESSAGE_TRANSPORT_H
#define DPDL_MESSAGE_TRANSPORT_H

#include "dpdl-loss-model.h"
#include "dpdl-message-links.h"
#include "dpdl-transport.h"
#include "dpdl/base/random.h"
#include "dpdl/base/slot-pool.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/network/link-table.h"
#include "dpdl/topology/graph-sequence.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief One event for each message: serialisation, queue, latency and loss of directed links.
 *
 * A message is serialised at the rate of its link, then travels for the link's delay, and is
 * dropped with the link's probability. A dropped message has occupied its link nevertheless. What
 * serialises is a link's own, unless attribute Sharing or a group of a link file gives several
 * links one serialiser: first in, first out, or, with Discipline fair, all at once at equal parts
 * of the rate. On the wire a message is its size, MessageOverhead, and PacketOverhead for each
 * PacketSize of it.
 *
 * Which messages are dropped depends on the stream, source, target, round and chunk only, so that
 * two runs that differ in something else lose the same ones.
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
     * @brief Parameters of the links that no table names, from the attributes.
     * @return the parameters
     * @throws dpdl::UsageError if Sharing, Discipline or QueueLimit is not accepted
     */
    ::dpdl::LinkParameters LinkDefaults() const;

    /**
     * @brief Time until the last message of a round has arrived, if all are sent at once.
     * @param graph who sends to whom
     * @param bytes size of every message
     * @return seconds; the longest over the rounds of the period, or over all single links of a
     *         graph that never repeats
     */
    double TransferSeconds(const ::dpdl::GraphSequence& graph, uint64_t bytes);

    /**
     * @brief Time that is known, when a message leaves, to pass until it arrives.
     * @param fastest at least as fast as the links in question
     * @param bytes size of the smallest message
     * @param failures which may change links
     * @return no message of these links is known later
     */
    Time ShortestTime(::dpdl::LinkParameters fastest,
                      uint64_t bytes,
                      const std::vector<::dpdl::FailureEvent>& failures);

    /// True if all links have the same rate and nothing is shared or added.
    bool IsPlain() const;

    /**
     * @brief Gives every link its own parameters; before the first message.
     * @param links replaces the attributes DataRate, Delay, DropProbability, MessageOverhead and
     *        QueueLimit; empty: the attributes hold
     */
    void SetLinks(std::shared_ptr<const ::dpdl::LinkTable> links);

    /**
     * @brief Loses messages in addition to those that links and failures lose.
     * @param model decides about every message; empty: no others are lost
     */
    void SetLossModel(Ptr<DpdlLossModel> model);

  protected:
    void DoDispose() override;

  private:
    /// A message that a fair serialiser is sending.
    struct Sending
    {
        DpdlMessage message; //!< the message
        Time latency;        //!< from its last bit's leaving to the arrival
        Time begin;          //!< when it was given to the serialiser
        bool lost{false};    //!< nothing arrives
    };

    bool HasMessages() const override;
    void DoSend(const DpdlMessage& message) override;

    /// Passes the attributes on to the links, before the first is used.
    void Prepare();

    /**
     * @brief Gives a message to a fair serialiser.
     * @param serialiser sends it
     * @param duration what that would take alone
     * @param turn what its largest packet would take alone; zero: messages are sent all at once
     * @param sending the message
     */
    void SendFairly(DpdlMessageLinks::Serialiser& serialiser,
                    Time duration,
                    Time turn,
                    Sending sending);
    void EndFairly(uint32_t number);

    /**
     * @brief Draws whether the link drops a message.
     * @param share the message
     * @param probability of its loss
     * @return true if it is lost
     */
    bool IsDropped(const ::dpdl::Share& share, double probability);

    DataRate m_dataRate;           //!< of a link that no table names
    Time m_delay;                  //!< of such a link
    double m_dropProbability{0.0}; //!< of such a link
    uint32_t m_messageOverhead{0}; //!< of such a link
    std::string m_queueLimit;      //!< of such a link
    uint32_t m_packetSize{0};      //!< bytes of a message in a packet; 0: all
    uint32_t m_packetOverhead{0};  //!< bytes of headers of a packet
    uint32_t m_hops{1};            //!< times that the last packet is serialised
    std::string m_sharing;         //!< none, uplink or downlink
    std::string m_discipline;      //!< fifo or fair

    std::shared_ptr<const ::dpdl::LinkTable> m_table; //!< see SetLinks()
    Ptr<DpdlLossModel> m_lossModel;                   //!< see SetLossModel()
    Ptr<UniformRandomVariable> m_random;              //!< gives the seed of the drops
    bool m_seeded{false};                             //!< whether m_seed has been drawn
    ::dpdl::RandomSeed m_seed;                        //!< seed of the drops
    DpdlMessageLinks m_links;                         //!< what links are like
    bool m_isPrepared{false};                         //!< see Prepare()
    ::dpdl::SlotPool<Sending> m_sending;              //!< with fair serialisers
};

} // namespace ns3

#endif // DPDL_MESSAGE_TRANSPORT_H
