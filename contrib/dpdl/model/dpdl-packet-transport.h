// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACKET_TRANSPORT_H
#define DPDL_PACKET_TRANSPORT_H

#include "dpdl-header.h"
#include "dpdl-ip-switch.h"
#include "dpdl-link-control.h"
#include "dpdl-path.h"
#include "dpdl-transport.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Common base of transports over sockets: manages nodes, paths, loss and counters.
 *
 * The nodes use their installed IP stacks. Sockets open when the first message is sent, so a
 * program may add stacks and addresses until the simulation starts.
 *
 * DropProbability and failures act on packets at the receiving device. The IP interfaces of a
 * crashed node are down.
 */
class DpdlPacketTransport : public DpdlTransport
{
  public:
    /// Finds or builds the path from one node to another, given by their numbers in the run.
    using PathMaker = std::function<DpdlPath(uint32_t source, uint32_t target)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlPacketTransport();

    void UpdateConditions() override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Replaces the search for paths through the installed stacks.
     * @param maker is called once for each directed link, when the link is first used
     */
    void SetPathMaker(PathMaker maker)
    {
        m_pathMaker = std::move(maker);
    }

    /// Finds the paths of all pairs of nodes. Without this call, loss and failures are applied to a
    /// link from its first message on. Packets of other applications that travel on the link before
    /// are then not dropped.
    void FindAllPaths();

    /**
     * @brief Reports a packet that a device dropped and will not retransmit, so the packet's
     *        message may be lost. By default does nothing.
     * @param packet the packet, with the headers of all lower layers
     * @param loss reason of the drop, and number of the intended receiver
     */
    virtual void LosePacket([[maybe_unused]] Ptr<const Packet> packet,
                            [[maybe_unused]] const ::dpdl::MessageLoss& loss)
    {
    }

    /// Number of bytes handed to sockets so far: messages and the headers of their pieces, without
    /// headers of lower layers.
    uint64_t BytesSent() const
    {
        return m_bytesSent;
    }

    /// Number of packets and TCP connections that receivers have rejected so far. UDP discards a
    /// packet that is not a valid piece of a message, or that is not from the message's sender. TCP
    /// refuses a connection that is not from a node of the run, and closes one whose stream is
    /// invalid. A rejection itself drops no message: the sender may send the rejected bytes again.
    uint64_t CorruptPackets() const
    {
        return m_corrupt;
    }

    /// UDP or TCP port of every node.
    uint16_t Port() const
    {
        return m_port;
    }

    /// The ns-3 node whose number in the run is @p node.
    Ptr<Node> NodeOf(uint32_t node) const;

    /**
     * TracedCallback signature of a packet that does not belong to a message.
     * @param packet the received packet, without the headers of lower layers
     * @param node number of the node that received it
     */
    typedef void (*CorruptCallback)(Ptr<const Packet> packet, uint32_t node);

  protected:
    void DoDispose() override;

    /// The path of a directed link, found at the first call.
    const DpdlPath& PathOf(uint32_t source, uint32_t target);

    /// Key of a directed link: the source in the upper 32 bits, the target in the lower ones.
    static uint64_t LinkOf(uint32_t source, uint32_t target)
    {
        return (static_cast<uint64_t>(source) << 32) | target;
    }

    /// Counts and traces a received packet that does not belong to a message, and logs a warning.
    /// @param packet packet that the caller drops
    /// @param node number of the receiving node in the run
    void RejectPacket(Ptr<const Packet> packet, uint32_t node);

    /**
     * @brief True if a packet or connection comes from an address of a node, loopback excluded.
     * @param node number of the node in the run
     * @param peer socket address of the sender
     * @param fromPort true: the sender's port must also be Port()
     */
    bool IsFrom(uint32_t node, const Address& peer, bool fromPort) const;

    /// Counts bytes that are written to a socket.
    void CountSent(uint32_t bytes)
    {
        m_bytesSent += bytes;
    }

    /// True if dpdl built the links for this run, because SetPathMaker() was called.
    bool HasOwnLinks() const
    {
        return static_cast<bool>(m_pathMaker);
    }

    /// True if payloads are real bytes, not virtual.
    bool HasRealPayload() const
    {
        return m_realPayload;
    }

    /// Receives a socket of a node of the run, bound for one version of IP.
    using SocketCallback = std::function<void(uint32_t node, bool isIpv4, Ptr<Socket> socket)>;

    /**
     * @brief Opens a socket at the port of every node and for each of its versions of IP.
     * @param factory type of the socket factory
     * @param opened is called for each socket
     * @throws dpdl::UsageError if the port is in use
     */
    void OpenSockets(TypeId factory, const SocketCallback& opened);

    /// Attribute DataRate of a device or, if it has none, of its channel; 0 if neither has one.
    static DataRate RateOf(Ptr<NetDevice> device);

    /// Attribute Delay of a device's channel; 0 if it has none.
    static Time LatencyOf(Ptr<NetDevice> device);

    /// Finds a fragment header within the first 160 bytes of a packet, after the headers of lower
    /// layers.
    /// @return false if there is none
    static bool FindFragmentHeader(Ptr<const Packet> packet, DpdlFragmentHeader& header);

    /// Makes a packet of @p size bytes that begins with @p bytes; all further bytes are virtual.
    static Ptr<Packet> Rebuild(const std::vector<uint8_t>& bytes, uint32_t size);

  private:
    void Control(uint32_t source, uint32_t target, const DpdlPath& path);

    Ptr<UniformRandomVariable> m_random; //!< draws the seed of the losses
    DpdlLinkControl m_control;           //!< applies loss and failures to links
    bool m_isControlling{false};         //!< true: m_control is configured
    double m_dropProbability{0.0};       //!< probability that a link loses a packet
    std::vector<bool> m_crashed;         //!< by node: true if it has crashed
    DpdlIpSwitch m_interfaces;           //!< switches the IP interfaces of crashed nodes off and on
    PathMaker m_pathMaker;               //!< finds or builds the path of a directed link
    std::unordered_map<uint64_t, DpdlPath> m_paths; //!< paths found so far, by key LinkOf()
    uint16_t m_port{0};                             //!< UDP or TCP port of every node
    bool m_realPayload{false};                      //!< true: payloads are real bytes, not virtual
    uint64_t m_bytesSent{0};                        //!< bytes handed to sockets so far
    uint64_t m_corrupt{0}; //!< number of received packets and connections that affect no message
    /// Fires for each received packet that belongs to no message of this run. Arguments: the packet
    /// without the headers of lower layers, and the number of the node that received it.
    TracedCallback<Ptr<const Packet>, uint32_t> m_corruptTrace;
};

} // namespace ns3

#endif // DPDL_PACKET_TRANSPORT_H
