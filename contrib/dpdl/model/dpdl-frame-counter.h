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
 * @brief Counts what becomes of radio frames, by the distance of those who could receive them.
 *
 * Aggregate one to the first node of a run, and give it every frame that a radio of the run
 * begins to send and of every one that a radio has received intact; DpdlHelper writes its rows into
 * the trace. DpdlVehicularNetwork does so for IEEE 802.11.
 *
 * A frame that a node does not receive has collided if, while it was on the air, that node was
 * sending itself, or another node was whose distance to it was less than Capture times that of the
 * sender. Else it has faded. Nodes whose IP interfaces are down are not counted.
 *
 * With SetCondition() frames are counted apart where no line of sight was. The distance of a hidden
 * node then counts Hidden times in the comparison.
 */
class DpdlFrameCounter : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param nodes of the run, in its order, with mobility and stacks by the first frame
    void SetNodes(const NodeContainer& nodes);

    /// @param condition says who sees whom; without one everybody sees everybody
    void SetCondition(Ptr<ChannelConditionModel> condition)
    {
        m_condition = condition;
    }

    /**
     * @brief A node begins to send.
     * @param source number of the node
     * @param frame unique id of the packet; one that is sent again has the same
     * @param airtime how long that takes
     * @param isCounted false: it can disturb others, and is not counted itself
     */
    void Send(uint32_t source, uint64_t frame, Time airtime, bool isCounted);

    /**
     * @brief A node has received a frame that is on the air, or was just now.
     * @param target number of the node
     * @param frame unique id of the packet
     */
    void Receive(uint32_t target, uint64_t frame);

    /// Counts so far, by distance, of each first those with a line of sight.
    std::vector<::dpdl::FramesByDistance> Rows() const;

  protected:
    void DoDispose() override;

  private:
    /// State of a node that may receive a frame.
    struct Receiver
    {
        double distance{0.0};  //!< from the sender, in metres
        double reach{0.0};     //!< the same, longer where the sender is hidden
        bool received{false};  //!< the frame arrived intact
        bool disturbed{false}; //!< another frame is in the way
        bool isThere{false};   //!< the node's radio is on
        bool isSeen{true};     //!< no building is in between
    };

    /// Parts of a node that every frame needs.
    struct Parts
    {
        Ptr<MobilityModel> place; //!< where it is
        Ptr<Ipv4> stack;          //!< whether it is there; may be empty
    };

    /// A frame on the air.
    struct Flight
    {
        uint32_t source{0};              //!< who sends
        Time end;                        //!< of it
        bool isCounted{true};            //!< see Send()
        std::vector<Receiver> receivers; //!< by node
    };

    /// The distances from a node to all others, who of them is there, and who sees it.
    std::vector<Receiver> ReceiversOf(uint32_t source);

    /// Marks where a frame is in another's way.
    void Disturb(Flight& flight, const Flight& other) const;

    /// A frame is over. @param frame its id @param end when it was to end
    void Close(uint64_t frame, Time end);

    /// A class of distance, and whether the receiver was hidden.
    using Class = std::pair<uint32_t, bool>;

    NodeContainer m_nodes;                            //!< of the run
    std::vector<Parts> m_parts;                       //!< by node, from the first frame on
    Ptr<ChannelConditionModel> m_condition;           //!< see SetCondition(); may be empty
    double m_capture{0.0};                            //!< see the class
    double m_hidden{0.0};                             //!< likewise
    double m_classWidth{0.0};                         //!< of the distances, in metres
    std::map<uint64_t, Flight> m_flights;             //!< on the air, by id
    std::map<Class, ::dpdl::FramesByDistance> m_rows; //!< what was counted
};

} // namespace ns3

#endif // DPDL_FRAME_COUNTER_H
