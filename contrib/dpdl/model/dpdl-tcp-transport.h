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
 * @brief Messages in TCP, one connection for each directed link.
 *
 * A connection opens when its link is first used and stays. In it every message follows a fragment
 * header, which gives its number and size. When a connection breaks, a new one is opened, and the
 * messages that had not arrived go out again; a number is delivered once. A link that breaks
 * Attempts times in a row with nothing delivered loses what it has to send.
 *
 * Connections are accepted from addresses of the run's nodes. One that brings anything but messages
 * of the node at its other end is closed.
 */
class DpdlTcpTransport : public DpdlPacketTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Connections that were opened, those after failures included.
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
        DpdlTcpTransport* transport{nullptr}; //!< of this link
        uint32_t source{0};                   //!< sending node
        uint32_t target{0};                   //!< receiving node
        Ptr<Socket> socket;                   //!< empty: no connection
        bool isConnected{false};              //!< may be written to
        std::deque<uint64_t> queue;           //!< messages that have not arrived
        std::size_t written{0};               //!< of these, wholly in the socket
        uint32_t offset{0};                   //!< bytes of the next one that are
        uint32_t failures{0};                 //!< since something arrived
        EventId retry;                        //!< next attempt to connect
    };

    /// The receiving end of a connection.
    struct Inbound
    {
        DpdlTcpTransport* transport{nullptr}; //!< of this connection
        uint32_t node{0};                     //!< that receives
        Address peer;                         //!< socket address of the sender
        DpdlStreamReader reader;              //!< of what it receives
    };

    void DoSend(const DpdlMessage& sent) override;
    void Open();
    void SetTimers(Ptr<Socket> socket) const;
    void Connect(EgressQueue* link);
    /// Send buffer that the link of a path needs; 0: unknown, or the program has its own.
    static uint32_t BufferOf(const DpdlPath& path);
    void Break(EgressQueue* link);
    void GiveUp(EgressQueue& link);
    void Drain(EgressQueue* link);
    bool TakeBytes(Inbound& connection, Ptr<Packet> packet);
    bool Begin(Inbound& connection);
    void Complete(Inbound& connection);
    static bool Admit(DpdlTcpTransport* self, uint32_t node, Ptr<Socket>, const Address& peer);
    static void Accept(DpdlTcpTransport* self, uint32_t node, Ptr<Socket>, const Address& peer);
    static void Succeed(EgressQueue* link, Ptr<Socket> socket);
    static void Fail(EgressQueue* link, Ptr<Socket> socket);
    static void Write(EgressQueue* link, Ptr<Socket> socket, uint32_t available);
    static void Read(Inbound* connection, Ptr<Socket> socket);
    static void Close(Inbound* connection, Ptr<Socket> socket);
    static void Forget(Ptr<Socket> socket);

    uint32_t m_bufferBytes{0};            //!< of a socket; 0: see BufferOf()
    Time m_reconnectDelay;                //!< from a failure to the next attempt
    uint32_t m_attempts{0};               //!< in a row that may fail
    uint64_t m_connections{0};            //!< see Connections()
    DpdlMessageTable m_messages;          //!< that have not arrived
    std::vector<Ptr<Socket>> m_listeners; //!< of all nodes
    std::unordered_map<uint64_t, std::unique_ptr<EgressQueue>> m_egressQueues; //!< by link
    std::map<Ptr<Socket>, Inbound> m_inbound; //!< connections that were accepted and are open
};

} // namespace ns3

#endif // DPDL_TCP_TRANSPORT_H
