// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_FRAME_COUNTER_H
#define DPDL_FRAME_COUNTER_H

#include "dpdl/trace/network-rows.h"

#include "ns3/channel-condition-model.h"
#include "ns3/ipv4.h"
#include "ns3/mobility-model.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Counts received, collided and faded radio frames by distance from sender to receiver.
 *
 * Aggregate one to the first node of a run. Call Send() for every frame that a radio of the run
 * begins to send, and Receive() for every frame that a radio receives intact. DpdlVehicularNetwork
 * calls both for IEEE 802.11. DpdlHelper writes the rows into the trace.
 *
 * A frame is counted once for each other node as a possible receiver. If the node does not receive
 * the frame, the frame counts as collided or as faded there. It counts as collided if the node
 * itself was sending at the same time, or if another sender was nearer to the node than Capture
 * times the distance of the frame's sender. Nodes whose IP interfaces are down do not count as
 * receivers.
 *
 * With SetCondition() receivers without a line of sight to the frame's sender are counted
 * separately. The comparison above multiplies the distance of a sender without a line of sight by
 * Hidden.
 */
class DpdlFrameCounter : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Sets the nodes.
    /// @param nodes nodes of the run, in the order of their numbers; before the first frame, each
    /// needs a MobilityModel and, if it may go down, an IPv4 stack
    void SetNodes(const NodeContainer& nodes)
    {
        m_nodes = nodes;
    }

    /// Sets the model of lines of sight.
    /// @param condition decides whether two nodes have a line of sight; empty: all have
    void SetCondition(Ptr<ChannelConditionModel> condition)
    {
        m_condition = condition;
    }

    /**
     * @brief Records that a node begins to send.
     * @param source number of the node
     * @param frame unique id of the packet, the same for its retransmissions
     * @param airtime duration of the transmission
     * @param isCounted false: the frame interferes with other frames but is not counted
     */
    void Send(uint32_t source, uint64_t frame, Time airtime, bool isCounted);

    /**
     * @brief Records that a node received a frame that is on the air or has just ended.
     * @param target number of the node
     * @param frame unique id of the packet
     */
    void Receive(uint32_t target, uint64_t frame);

    /// Counts so far, one row per distance class, in ascending order. If a class has two rows, the
    /// first counts receivers with a line of sight.
    std::vector<::dpdl::FramesByDistance> Rows() const;

  protected:
    void DoDispose() override;

  private:
    /// State of a node that may receive a frame.
    struct Receiver
    {
        double distance{0.0}; //!< distance from the sender, in metres
        /// Distance in metres, times attribute Hidden if there is no line of sight.
        double reach{0.0};
        bool received{false};  //!< true: the frame arrived intact
        bool disturbed{false}; //!< true: the node sends, or another frame interferes
        bool isThere{false};   //!< true: the node is not the sender, and its IP interfaces are up
        bool isSeen{true};     //!< true: the receiver has a line of sight to the sender
    };

    /// Objects of a node that are read at every frame.
    struct Parts
    {
        Ptr<MobilityModel> place; //!< position of the node
        Ptr<Ipv4> stack; //!< IPv4 stack, whose interfaces are down if the node is down; empty: the
                         //!< node is always up
    };

    /// A frame on the air.
    struct Flight
    {
        uint32_t source{0};   //!< number of the sending node
        Time end;             //!< time at which the transmission ends
        bool isCounted{true}; //!< false: the frame interferes with other frames but is not counted
        std::vector<Receiver> receivers; //!< all nodes as receivers, by node number
    };

    /// State of all possible receivers of a frame of node @p source, by node number.
    std::vector<Receiver> ReceiversOf(uint32_t source);

    /// Marks the receivers of @p flight at which @p other interferes.
    void Disturb(Flight& flight, const Flight& other) const;

    /// Counts a frame that has ended.
    /// @param frame id of the frame
    /// @param end end of the transmission. If the frame on the air ends at another time, it is a
    /// retransmission with the same id, and nothing is counted
    void Close(uint64_t frame, Time end);

    /// Index of a distance class, and true if its receivers had no line of sight to the sender.
    using Class = std::pair<uint32_t, bool>;

    NodeContainer m_nodes;      //!< nodes of the run
    std::vector<Parts> m_parts; //!< objects of the nodes, by node; filled at the first frame
    Ptr<ChannelConditionModel> m_condition; //!< gives lines of sight; empty: every pair has one
    double m_capture{0.0};    //!< factor on distances in comparisons, attribute Capture
    double m_hidden{0.0};     //!< factor on distances without line of sight, attribute Hidden
    double m_classWidth{0.0}; //!< width of a distance class, in metres
    std::map<uint64_t, Flight> m_flights; //!< frames on the air, by unique id of the packet
    std::map<Class, ::dpdl::FramesByDistance> m_rows; //!< counts so far, by distance class
};

/**
 * @ingroup dpdl
 *
 * @brief Bytes that the radios of a run put on the air, with headers, padding and retransmissions.
 *
 * Aggregate one to the first node of a run and add to its counters. DpdlHelper writes them into
 * `settings` of the trace, as airBytesByNodes and airBytesByStations.
 */
class DpdlAirBytes : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t byNodes{0};    //!< bytes sent by nodes of the run; in a cell: the uplink
    uint64_t byStations{0}; //!< bytes sent by base stations: the downlink
};

} // namespace ns3

#endif // DPDL_FRAME_COUNTER_H
