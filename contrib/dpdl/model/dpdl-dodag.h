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
 * @brief A routing protocol by which sensors find a tree towards one root and mend it: a small part
 * of RPL (RFC 6550), with hops as metric, in storing mode.
 *
 * Nodes broadcast DIOs to their neighbours: version of the tree, and own rank, which is 1 at
 * the root and one more than the parent's elsewhere. A node takes the neighbour of least rank as
 * its parent; it has not heard what comes over a bad link (LeastLqi). The root begins another
 * version each VersionPeriod: then all choose anew ("global repair"), and who is gone is a parent
 * no more. A neighbour that LostFrames frames in a row have not reached is forgotten at once; where
 * another one is as near to the root it becomes the parent ("local repair"), else the node says
 * that it has none (INFINITE_RANK), so that its children look for others.
 *
 * By DAOs each node tells its parent which nodes are reached through it, and who has forwarded a
 * DAO knows the way back. DpdlDodagState says why there are no loops.
 *
 * A node sends at most one DIO and one DAO in its turn, which comes once in a period; with a
 * DpdlRadio that has slots, in its slot. DIOs become rarer as long as nothing changes (the Trickle
 * timer, RFC 6206, without suppression). A node that is down and up again knows what it knew.
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
     * @brief Begins to route; before the simulation.
     * @param device with a link-local and another IPv6 address, in whose stack this is
     * @param isRoot whether the tree grows from here
     */
    void Begin(Ptr<NetDevice> device, bool isRoot);

    /**
     * @brief The device has sent a frame to a neighbour, or has given it up.
     * @param neighbour its link-local address
     * @param isAcknowledged which of both
     */
    void NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged);

    /// State of the node.
    const DpdlDodagState& State() const
    {
        return m_state;
    }

    /**
     * @brief Assigns a fixed stream to the moments of sending.
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

    Time m_period;                       //!< from turn to turn without slots
    Time m_versionPeriod;                //!< of the root
    uint32_t m_doublings{0};             //!< of the time between DIOs
    uint32_t m_lostFrames{0};            //!< in a row that end a neighbourhood
    uint32_t m_leastLqi{0};              //!< of a DIO that counts
    uint16_t m_port{0};                  //!< of all nodes
    Ptr<UniformRandomVariable> m_random; //!< moments of sending
    Ptr<Ipv6> m_stack;                   //!< of the node
    uint32_t m_interface{0};             //!< in it; 0: not begun
    DpdlDodagState m_state;              //!< see State()
    bool m_isRoot{false};                //!< see Begin()
    Ptr<Socket> m_socket;                //!< sends and receives
    Time m_turnStart;                    //!< first moment of a turn in each period
    Time m_turnSpan;                     //!< how long its moment may be delayed
    uint64_t m_turn{0};                  //!< number of the next
    EventId m_next;                      //!< the next turn
    Time m_versionEnd;                   //!< when the root begins another
    uint32_t m_interval{1};              //!< Trickle's I, in turns
    uint32_t m_moment{1};                //!< Trickle's t, in turns
    uint32_t m_dioIn{1};                 //!< turns until the next DIO
};

} // namespace ns3

#endif // DPDL_DODAG_H
