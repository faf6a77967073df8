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
 * @brief Messages in UDP datagrams, cut into pieces below the MTU.
 *
 * Every node has one socket for each version of IP. A message arrives when its last missing piece
 * does, in whatever order and number of copies; pieces that do not come from its sender's address
 * and port are dropped. It is lost when a device of a network that reports
 * it (see LosePacket()) has dropped one of its pieces, or when nothing was heard of it for
 * SilenceTimeout after its last piece should have arrived. Each message has exactly one of these
 * fates. One that is complete after that silence counts as late, and is thrown away.
 *
 * Pieces are handed to the stack no faster than the device sends them: at most Burst of them are
 * ahead of it, two at a PacingRate. The rate is PacingRate or, if that is 0, that of the node's
 * DpdlRadio or, without one, attribute DataRate of the device or of its channel; a device without
 * one (WiFi) gets all pieces at once, and may drop what its queue does not hold. Where the node has
 * a DpdlRadio that sleeps, pieces wait until it is awake.
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

    /// Pieces that had arrived before, or whose message was over.
    uint64_t LatePieces() const
    {
        return m_latePieces;
    }

  protected:
    void DoDispose() override;

    /**
     * @brief Sends a message to some receivers by one datagram for each piece.
     * @param messages one a receiver, all of the same source
     * @param packet as many headers, and the payload
     * @param path to where
     * @param broadcast true: to all on the subnet
     */
    void Launch(const std::vector<DpdlMessage>& messages,
                Ptr<const Packet> packet,
                const DpdlPath& path,
                bool broadcast);

  private:
    using Message = DpdlMessageTable::Message;

    /// A message in the queue of an outlet.
    struct Departure
    {
        uint64_t number; //!< of the message
        Address to;      //!< socket address
    };

    /// Messages that leave a node through one device, one after the other.
    struct EgressQueue
    {
        Ptr<Socket> socket;            //!< of the node
        std::deque<Departure> waiting; //!< first in, first out
        DpdlPacer pacer;               //!< of the device
        uint32_t burst{0};             //!< datagrams ahead of it
        Time latency;                  //!< of its channel; 0: unknown
        bool isPumping{false};         //!< being given datagrams right now
        EventId event;                 //!< next time that it is given some
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

    uint32_t m_datagramBytes{0}; //!< largest datagram; 0: of the path's MTU
    uint32_t m_burst{64};        //!< datagrams ahead of the device
    DataRate m_pacingRate;       //!< of every outlet; 0: of its device
    Time m_silenceTimeout;       //!< after which an incomplete message is lost
    DpdlMessageTable m_messages; //!< on their way
    std::map<std::pair<uint32_t, bool>, Ptr<Socket>> m_sockets; //!< by node and whether IPv4
    std::map<std::pair<uint32_t, Ptr<NetDevice>>, EgressQueue>
        m_egressQueues;       //!< by node and device
    EventId m_watch;          //!< next look for silent messages
    std::size_t m_givenUp{0}; //!< messages on their way that count as lost
    /// hears of what ns-3 drops
    std::shared_ptr<DpdlDropCallback> m_drops{std::make_shared<DpdlDropCallback>()};
    uint64_t m_latePieces{0}; //!< see LatePieces()
};

} // namespace ns3

#endif // DPDL_UDP_TRANSPORT_H
