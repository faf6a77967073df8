// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TCP_TRANSPORT_H
#define DPDL_TCP_TRANSPORT_H

#include "dpdl-message-table.h"
#include "dpdl-packet-transport.h"
#include "dpdl-stream-reader.h"

#include "ns3/event-id.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Transport of messages over TCP, with one connection per directed link.
 *
 * A connection opens when its link is first used and stays open. In the stream, a fragment header
 * with the message's id and size precedes every message. When a connection breaks, the transport
 * opens a new one and resends the undelivered messages; each message is delivered once. After
 * Attempts consecutive failures without a delivery, the link drops its queued messages.
 *
 * Connections are accepted from addresses of the run's nodes. A connection that carries anything
 * but messages of its peer node is closed.
 */
class DpdlTcpTransport : public DpdlPacketTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Number of connections opened, including reconnections.
    uint64_t Connections() const
    {
        return m_connections;
    }

  protected:
    void DoDispose() override;

  private:
    using Message = DpdlMessageTable::Message;

    /// The sending end of a link.
    struct EgressQueue
    {
        uint32_t source{0}; //!< number of the sending node
        uint32_t target{0}; //!< number of the receiving node
        Ptr<Socket> socket; //!< socket of the sender; empty: no connection is open or being opened
        bool isConnected{false};    //!< true: the connection is established
        std::deque<uint64_t> queue; //!< ids of undelivered messages, first in, first out
        /// Number of queued messages that are completely written to the socket.
        std::size_t written{0};
        /// Bytes of the next queued message that are already written to the socket.
        uint32_t offset{0};
        uint32_t failures{0}; //!< number of failed connections since the last delivery
        EventId retry;        //!< event of the next attempt to connect
    };

    /// The receiving end of a connection.
    struct Inbound
    {
        uint32_t node{0};        //!< number of the receiving node
        Address peer;            //!< socket address of the sender
        DpdlStreamReader reader; //!< parses the received bytes
    };

    void DoSend(const DpdlMessage& sent) override;
    void Open();
    void SetTimers(Ptr<Socket> socket) const;
    void Connect(EgressQueue* link);
    /// Size of the send buffer in bytes for a path of one link: twice its bandwidth-delay product,
    /// at least 32 KiB, at most 4 MiB. Returns 0, so the socket keeps its default, if the path has
    /// several links, its rate or delay is unknown, or the user changed the default of
    /// ns3::TcpSocket::SndBufSize.
    static uint32_t BufferOf(const DpdlPath& path);
    void Break(EgressQueue* link);
    void GiveUp(EgressQueue& link);
    void Drain(EgressQueue* link);
    bool TakeBytes(Inbound& connection, Ptr<Packet> packet);
    bool Begin(Inbound& connection);
    void Complete(Inbound& connection);
    bool Admit(uint32_t node, const Address& peer);
    void Accept(uint32_t node, Ptr<Socket> socket, const Address& peer);
    void Read(Inbound& connection, Ptr<Socket> socket);
    void Close(Ptr<Socket> socket);
    static void Forget(Ptr<Socket> socket);

    uint32_t m_bufferBytes{0}; //!< send buffer of a socket in bytes; 0: BufferOf() determines it
    Time m_reconnectDelay;     //!< time from a failure to the next attempt to connect
    uint32_t m_attempts{
        0}; //!< number of consecutive failures after which a link drops its messages
    uint64_t m_connections{0};            //!< number of connections opened, including reconnections
    DpdlMessageTable m_messages;          //!< messages that are not yet delivered
    std::vector<Ptr<Socket>> m_listeners; //!< listening sockets of all nodes
    /// Egress queues, by link: LinkOf().
    std::unordered_map<uint64_t, std::unique_ptr<EgressQueue>> m_egressQueues;
    std::map<Ptr<Socket>, Inbound> m_inbound; //!< open connections that were accepted, by socket
};

} // namespace ns3

#endif // DPDL_TCP_TRANSPORT_H
