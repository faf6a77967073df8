// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_H
#define DPDL_DODAG_H

#include "dpdl-dodag-state.h"

#include "ns3/event-id.h"
#include "ns3/ipv6-static-routing.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Routing protocol that builds and repairs a tree towards one root: a small part of RPL
 * (RFC 6550), with the hop count as metric, in storing mode.
 *
 * Nodes broadcast DIOs (DODAG information objects) with the version of the tree and their rank: 1
 * at the root, elsewhere one more than the parent's. A node takes the neighbour of lowest rank as
 * its parent. It ignores DIOs over bad links (LeastLqi). The root begins a new version each
 * VersionPeriod; then all nodes choose again ("global repair"), and only nodes that still send DIOs
 * can become parents. A node removes a neighbour after LostFrames consecutive lost frames. If the
 * removed neighbour was the parent, another neighbour of the same rank becomes the parent ("local
 * repair"). If there is none, the node announces INFINITE_RANK, and its children look for other
 * parents.
 *
 * Each node sends DAOs (destination advertisement objects) to its parent, which list the node and
 * the nodes below it. Each node that receives a DAO learns the downward routes to the listed nodes.
 * DpdlDodagState explains why there are no loops.
 *
 * A node has one turn in each Period. If it has a DpdlRadio with slots, it has one turn in each of
 * its slots instead. In a turn it sends at most one DIO and one DAO. DIOs become rarer while
 * nothing changes (the Trickle timer, RFC 6206, without suppression). A node keeps its state while
 * its interface is down.
 */
class DpdlDodag : public Ipv6StaticRouting
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DpdlDodag();

    /**
     * @brief Starts routing; call this before the simulation.
     * @param device device of the node; its interface in the node's IPv6 stack, which must use this
     *        protocol, has a link-local and another address
     * @param isRoot true for the root of the tree
     */
    void Begin(Ptr<NetDevice> device, bool isRoot);

    /**
     * @brief Records that a frame to a neighbour was delivered or given up.
     * @param neighbour link-local address of the neighbour
     * @param isAcknowledged true: the frame was delivered; false: it was given up
     */
    void NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged);

    /// State of the node in the tree: its parent, rank and downward routes.
    const DpdlDodagState& State() const
    {
        return m_state;
    }

    /**
     * @brief Assigns a fixed stream to the sending times.
     * @param stream first stream index to use
     * @return the number of streams used, 1
     */
    int64_t AssignStreams(int64_t stream);

    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv6InterfaceAddress address) override;

  protected:
    void DoDispose() override;

  private:
    void ScheduleTurn();
    void TakeTurn();
    void SendDio();
    void Send(const DpdlDodagMessage& message, const Ipv6Address& to);
    static void Read(DpdlDodag* self, Ptr<Socket> socket);
    void Follow();
    void WriteRoutes();

    Time m_period;            //!< time from one turn to the next; slot period if the node has slots
    Time m_versionPeriod;     //!< time between two versions of the tree, at the root
    uint32_t m_doublings{0};  //!< maximum number of doublings of the DIO interval
    uint32_t m_lostFrames{0}; //!< number of consecutive lost frames that removes a neighbour
    uint32_t m_leastLqi{0};   //!< minimum LQI (link quality) of an accepted DIO, 0 to 255
    uint16_t m_port{0};       //!< UDP port of the routing messages of all nodes
    Ptr<UniformRandomVariable> m_random; //!< draws sending times
    Ptr<Ipv6> m_stack;                   //!< IPv6 stack of the node
    uint32_t m_interface{0};             //!< index of the interface in the stack; 0: not started
    DpdlDodagState m_state;              //!< state of the node in the tree
    bool m_isRoot{false};                //!< true: the node is the root of the tree
    Ptr<Socket> m_socket;                //!< sends and receives DIOs and DAOs
    Time m_turnStart; //!< time from the beginning of each period to the earliest start of the turn
    Time m_turnSpan;  //!< upper limit of the random delay of a turn after m_turnStart
    uint64_t m_turn{0};     //!< index of the next turn, from 0
    EventId m_next;         //!< event of the next turn
    Time m_versionEnd;      //!< time at which the root begins the next version of the tree
    uint32_t m_interval{1}; //!< current interval of the Trickle timer (I), in turns
    uint32_t m_moment{1};   //!< turn of the DIO within the Trickle interval (t)
    uint32_t m_dioIn{1};    //!< turns until the next DIO
};

} // namespace ns3

#endif // DPDL_DODAG_H
