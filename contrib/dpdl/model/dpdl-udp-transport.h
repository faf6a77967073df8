// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_UDP_TRANSPORT_H
#define DPDL_UDP_TRANSPORT_H

#include "dpdl-drop-watch.h"
#include "dpdl-message-table.h"
#include "dpdl-pacer.h"
#include "dpdl-packet-transport.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"

#include <deque>
#include <map>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Transport of messages in UDP datagrams, divided into pieces below the MTU.
 *
 * Every node has one socket for each IP version. A message arrives when its last missing piece
 * arrives. Pieces may arrive in any order, and more than once. Pieces from other addresses than the
 * sender's are discarded; in unicast also those from other ports. A message is lost when a device
 * drops one of its pieces and reports the drop (LosePacket()). It is also lost when no piece
 * arrives within SilenceTimeout after the last piece arrived or should have arrived. Each message
 * has exactly one of these fates. A message that is completed after the timeout counts as late, and
 * is discarded.
 *
 * Pieces are handed to the stack at the data rate of the device, so at most Burst pieces are in the
 * device's queue. At most two are there if PacingRate is set, and at most one if the node has a
 * DpdlRadio. The data rate is PacingRate or, if that is 0, the rate of the node's DpdlRadio.
 * Without a DpdlRadio it is attribute DataRate of the device or of its channel. A device without a
 * data rate (WiFi) gets all pieces at once, and may drop pieces that do not fit into its queue. If
 * the node has a DpdlRadio that sleeps, pieces wait until it is awake.
 */
class DpdlUdpTransport : public DpdlPacketTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void LosePacket(Ptr<const Packet> packet, const ::dpdl::MessageLoss& loss) override;
    void UpdateConditions() override;

    /// Number of duplicate pieces, and of pieces whose message had ended, received so far.
    uint64_t LatePieces() const
    {
        return m_latePieces;
    }

  protected:
    void DoDispose() override;

    /**
     * @brief Sends a message to one or more receivers, with one datagram per piece.
     * @param messages one per receiver, all of the same source
     * @param packet headers of the messages, then the payload
     * @param path path to the receiver; in a broadcast, to any receiver
     * @param broadcast true: send to all nodes of the subnet
     */
    void Launch(const std::vector<DpdlMessage>& messages,
                Ptr<const Packet> packet,
                const DpdlPath& path,
                bool broadcast);

  private:
    using Message = DpdlMessageTable::Message;

    /// A message in an egress queue.
    struct Departure
    {
        uint64_t number; //!< id of the message in m_messages
        Address to;      //!< socket address of the receiver
    };

    /// Queue of messages that leave a node through one device.
    struct EgressQueue
    {
        Ptr<Socket> socket;            //!< socket of the sending node
        std::deque<Departure> waiting; //!< waiting messages, first in, first out
        DpdlPacer pacer;               //!< decides when the device may get a piece
        uint32_t burst{0};             //!< maximum number of datagrams in the device's queue
        Time latency;                  //!< delay of the device's channel; 0: unknown
        bool isPumping{false};         //!< true while Drain() runs
        EventId event;                 //!< event of the next call of Drain()
    };

    void DoSend(const DpdlMessage& message) override;
    void Open();
    Ptr<Socket> SocketOf(uint32_t source, const DpdlPath& path, bool broadcast);
    EgressQueue& EgressQueueOf(uint32_t source, const DpdlPath& path, bool broadcast);
    void SetPace(EgressQueue& outlet, Ptr<NetDevice> device) const;
    void Drain(EgressQueue* outlet);
    void SendPiece(EgressQueue& outlet, Message& message, const Address& to);
    static void Read(DpdlUdpTransport* self, uint32_t node, Ptr<Socket> socket);
    void TakePiece(uint32_t node, Ptr<Packet> packet, const Address& from);
    void Complete(Message& message, uint32_t place);
    void Note(Ptr<const Packet> packet, const Mac48Address& to, ::dpdl::MessageLoss loss);
    void Lose(Message& message, DpdlReassembly& copy, const ::dpdl::MessageLoss& loss);
    void LoseAll(Message& message, const ::dpdl::MessageLoss& loss);
    void GiveUp(Message& message);
    void Decide(Message& message, DpdlReassembly& copy);
    void ReleaseIfOver(Message& message);
    void Watch();
    void LoseSilent();

    /// Maximum size of a datagram in bytes, without UDP and IP headers; 0: the path's MTU less
    /// these headers.
    uint32_t m_datagramBytes{0};
    uint32_t m_burst{64};  //!< maximum number of datagrams in a device's queue; attribute Burst
    DataRate m_pacingRate; //!< rate at which each device gets datagrams; 0: that of the node's
                           //!< DpdlRadio or, if it has none, of the device or its channel
    Time m_silenceTimeout; //!< time without a new piece after which an incomplete message is lost
    DpdlMessageTable m_messages; //!< messages in flight
    /// Sockets, by node and version of IP; second: true for IPv4.
    std::map<std::pair<uint32_t, bool>, Ptr<Socket>> m_sockets;
    std::map<std::pair<uint32_t, Ptr<NetDevice>>, EgressQueue>
        m_egressQueues;       //!< egress queues, by node and device
    EventId m_watch;          //!< event of the next check for messages without new pieces
    std::size_t m_givenUp{0}; //!< number of messages in flight that are lost by timeout
    /// Receives the drops that ns-3 reports.
    std::shared_ptr<DpdlDropCallback> m_drops{
        std::make_shared<DpdlDropCallback>([this](const auto&... drop) { Note(drop...); })};
    uint64_t m_latePieces{0}; //!< number of duplicate pieces and of pieces of ended messages
};

} // namespace ns3

#endif // DPDL_UDP_TRANSPORT_H
