// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACKET_TRANSPORT_H
#define DPDL_PACKET_TRANSPORT_H

#include "dpdl-fragment-header.h"
#include "dpdl-ip-switch.h"
#include "dpdl-link-control.h"
#include "dpdl-path.h"
#include "dpdl-transport.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <optional>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Common base of transports over sockets: nodes, paths, counters.
 *
 * The nodes use the stacks that are installed on them. Sockets open when the first message is sent,
 * so that a program may add stacks and addresses until the simulation starts.
 *
 * DropProbability and failures act on packets, at the device that receives them; a node that has
 * crashed has its IP interfaces down.
 */
class DpdlPacketTransport : public DpdlTransport
{
  public:
    /// Finds or builds the way from a node to another, both by number in the run.
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
     * @param maker is asked once for each directed link, when it is first used
     */
    void SetPathMaker(PathMaker maker);

    /**
     * @brief A device has dropped a packet permanently: what it belongs to may be lost by that.
     * @param packet as the device saw it, with the headers of all layers below
     * @param loss why, and the node that does not get it
     */
    virtual void LosePacket(Ptr<const Packet> packet, const ::dpdl::MessageLoss& loss);

    /// Bytes handed to sockets: messages and the headers of their pieces, not those of lower
    /// layers.
    uint64_t BytesSent() const
    {
        return m_bytesSent;
    }

    /// Packets and connections that were damaged or foreign (see IsFrom()); no message is affected.
    uint64_t CorruptPackets() const
    {
        return m_corrupt;
    }

    /// UDP or TCP port of every node.
    uint16_t Port() const
    {
        return m_port;
    }

    /// The node of that number.
    Ptr<Node> NodeOf(uint32_t node) const;

    /**
     * TracedCallback signature of a packet that is no part of a message.
     * @param packet what was received, without the headers of lower layers
     * @param node number of the node that received it
     */
    typedef void (*CorruptCallback)(Ptr<const Packet> packet, uint32_t node);

  protected:
    void DoDispose() override;

    /// The path of a directed link, found at the first call.
    const DpdlPath& PathOf(uint32_t source, uint32_t target);

    /// Number of a directed link.
    static uint64_t LinkOf(uint32_t source, uint32_t target)
    {
        return (static_cast<uint64_t>(source) << 32) | target;
    }

    /// Counts a packet that @p node received and that is no part of a message.
    void RejectPacket(Ptr<const Packet> packet, uint32_t node);

    /**
     * @brief Checks that a packet or connection comes from a node, its loopback excluded.
     * @param node number of the node in the run
     * @param peer socket address that the packet or connection has
     * @param fromPort whether it has to come from Port() as well
     */
    bool IsFrom(uint32_t node, const Address& peer, bool fromPort) const;

    /// Counts what goes into a socket.
    void CountSent(uint32_t bytes)
    {
        m_bytesSent += bytes;
    }

    /// True if the paths are links that were built for the run: SetPathMaker() was called.
    bool HasOwnLinks() const
    {
        return static_cast<bool>(m_pathMaker);
    }

    /// True if payloads are bytes rather than virtual.
    bool HasRealPayload() const
    {
        return m_realPayload;
    }

    /// Addresses that a node's sockets bind to: any of each version of IP that it has, and the
    /// port.
    std::vector<Address> LocalAddresses(uint32_t node) const;

    /// The port is taken. @param node where @throws dpdl::UsageError
    [[noreturn]] void RefusePort(uint32_t node) const;

    /// Attribute DataRate of a device or else of its channel; 0 if neither has one.
    static DataRate RateOf(Ptr<NetDevice> device);

    /// Attribute Delay of a device's channel; 0 if it has none.
    static Time LatencyOf(Ptr<NetDevice> device);

    /// Looks for a fragment header behind the headers of lower layers. @return true if it is there
    static bool FindFragmentHeader(Ptr<const Packet> packet, DpdlFragmentHeader& header);

    /// A packet of raw bytes at the start and @p size bytes in all; the rest is virtual.
    static Ptr<Packet> Rebuild(const std::vector<uint8_t>& bytes, uint32_t size);

  private:
    void Control(uint32_t source, uint32_t target, const DpdlPath& path);

    Ptr<UniformRandomVariable> m_random;                        //!< gives the seed of the losses
    DpdlLinkControl m_control;                                  //!< of links with loss or failures
    bool m_isControlling{false};                                //!< m_control is configured
    double m_dropProbability{0.0};                              //!< of every link
    std::vector<bool> m_crashed;                                //!< by node
    DpdlIpSwitch m_interfaces;                                  //!< of nodes that crash
    PathMaker m_pathMaker;                                      //!< see SetPathMaker()
    std::unordered_map<uint64_t, DpdlPath> m_paths;             //!< by link
    uint16_t m_port{0};                                         //!< see Port()
    bool m_realPayload{false};                                  //!< see HasRealPayload()
    uint64_t m_bytesSent{0};                                    //!< see BytesSent()
    uint64_t m_corrupt{0};                                      //!< see CorruptPackets()
    TracedCallback<Ptr<const Packet>, uint32_t> m_corruptTrace; //!< see CorruptPackets()
};

} // namespace ns3

#endif // DPDL_PACKET_TRANSPORT_H
